# WebAssembly by clang and Debian's wasi-libc: memory of 32-bit addresses, files through WASI, no threads.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
# What wasi-libc stands in for: files mapped by reading them, a process number, processor times.
set(CMAKE_C_FLAGS_INIT "-D_WASI_EMULATED_MMAN -D_WASI_EMULATED_GETPID -D_WASI_EMULATED_PROCESS_CLOCKS")
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-lwasi-emulated-mman -lwasi-emulated-getpid -lwasi-emulated-process-clocks -Wl,-z,stack-size=1048576")
