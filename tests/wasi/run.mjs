// The host of a WebAssembly program with WASI: see tests/wasi/run.
// It sees the environment, and of all files those below the folder for temporary ones alone, by the name /tmp.
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { WASI } from "node:wasi";

const [program, ...words] = process.argv.slice(2);
const wasi = new WASI({
    version: "preview1",
    args: [basename(program, ".wasm"), ...words],
    env: { ...process.env, TMPDIR: "/tmp" },
    preopens: { "/tmp": tmpdir() },
    returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
