# A thin face on CMake: the presets are in CMakePresets.json, the work in scripts/ and tests/run.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS

.PHONY: all setup demo docs test test-full coverage bench install format lint clean

all:
	@scripts/build release

setup:
	@scripts/setup

demo:
	@scripts/setup build
	@scripts/build release wend_command
	@scripts/demo

docs:
	@scripts/setup docs
	@mkdir -p build
	@doxygen

test:
	@scripts/setup build
	@tests/run

test-full:
	@scripts/setup full
	@tests/run --full

coverage:
	@scripts/coverage

bench: all
	@build/wend_bench

# ldconfig, so that the loader finds the new library; not for a package's staging folder, and nothing fails for it.
install:
	@scripts/setup build
	@scripts/build release wend_static wend_shared wend_command wend_paper
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)" || { [ -w "$(DESTDIR)$(PREFIX)" ] || \
		echo "make install: can't write to $(DESTDIR)$(PREFIX): be root, or give a PREFIX of your own" >&2; exit 1; }
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || PATH="$$PATH:/usr/sbin:/sbin" ldconfig 2>/dev/null || true

format:
	@scripts/lint --fix

lint: all
	@scripts/lint

clean:
	rm -rf build build-asan build-tsan build-debug build-clang build-wasm build-s390x build-fuzz build-coverage build-plant demo
