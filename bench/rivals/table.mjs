// The table of rivals/run: table.mjs LINES STRICT.json ANY.json, where LINES has the rivals' lines and the others are what
// `wend bench --json` wrote under strict corners and under `any` (libtcod's rule).
import { readFileSync } from "node:fs";
const [lines, ...results] = process.argv.slice(2).map((file) => readFileSync(file, "utf8").trimEnd().split("\n"));
const [strict, any] = results.map((each) => each.map((line) => JSON.parse(line)).filter((row) => !row.summary && "problem" in row));
const optimal = (rows) => new Map(rows.map((row) => [row.problem, row.optimal]));
const best = { strict: optimal(strict), any: optimal(any) };
const table = new Map();
const add = (label, rule, problem, ns, length) => {
  if (!table.has(label)) table.set(label, { rule, ns: 0, problems: 0, shortest: 0 });
  const row = table.get(label);
  row.ns += ns;
  row.problems++;
  row.shortest += length >= 0 && Math.abs(length - best[rule].get(problem)) < 1e-3;
};
for (const line of lines) {
  const [label, problem, ns, length] = line.split("\t");
  add(label, label === "libtcod" ? "any" : "strict", +problem, +ns, +length);
}
for (const row of strict) add(`wend ${row.planner.split(":")[0]}`, "strict", row.problem, row.plan_ns, row.cost);
for (const row of any) add(`wend ${row.planner.split(":")[0]}, corners any`, "any", row.problem, row.plan_ns, row.cost);
const round = (us) => (us < 100 ? us.toPrecision(2) : Math.round(us).toLocaleString("en"));
console.log("| library | microseconds per path | shortest |\n|---|---|---|");
for (const [label, row] of [...table].sort((a, b) => b[1].ns - a[1].ns))
  console.log(`| ${label} | ${round(row.ns / row.problems / 1000)} | ${row.shortest} of ${row.problems} |`);
