# The commands of CuSeT. `make demo` and `make test` do all the set-up they need; see README.md.
#
#   make            build the program          make lint     formatting and static analysis
#   make demo       and tell the story         make format   rewrite sources in our format
#   make test       and run every test         make fuzz     fuzz each reader (SECONDS=60 per target)
#   make setup      install only               make bench    benchmarks, as tables and JSON
#   make wheel      a Python wheel in dist/    make dist     an archive in dist/ with the program and what it needs
#   make install    PREFIX=/usr/local, DESTDIR
#   make bundle     gather third-party libraries for a machine without network; there: make test BUNDLE=bundle
#   make gpu-test   on a GPU machine: what needs the GPU, unit and end-to-end tests
#   make test-debug unit tests, unoptimized, each source compiled by itself
#   make check-format                          make test-cmake   configure and build ops/ with the newest CMake
#
# PRESET=debug|sanitize|coverage builds another variant (see CMakePresets.json). CMAKE_ARGS adds configure flags.

PRESET ?= release
SECONDS ?= 60
JOBS ?= $(shell nproc)
BUNDLE ?=
PREFIX ?= /usr/local
DESTDIR ?=
CMAKE_ARGS ?=
CMAKE ?= cmake

empty :=
space := $(empty) $(empty)
BUILD := build/$(PRESET)
BIN := $(BUILD)/bin
SETUP := setup/setup.sh
VENV_BIN := .deps/venv/bin
READY := .deps/ready
# Beside CMAKE_ARGS, not inside: a variable given on the command line cannot be appended to.
ifneq ($(BUNDLE),)
  READY :=
  BUNDLE_ARG = "-DCUSET_BUNDLE=$$(realpath '$(BUNDLE)')"
endif

CXX_FILES = $(shell git ls-files --cached --others --exclude-standard '*.cc' '*.h' '*.cu')
SCRIPT_FILES = $(shell git ls-files --cached --others --exclude-standard '*.js')
MODULE_SOURCES = $(filter-out %_test.cc,$(filter src/%.cc,$(CXX_FILES)))

# The modules of `make test-debug`, as in MODULES="base text"; empty means all.
MODULES ?=

.PHONY: build demo test gpu-test test-debug test-cmake setup bundle wheel dist install format check-format lint fuzz bench clean
.DEFAULT_GOAL := build

setup:
	@$(SETUP)
	@touch .deps/ready

.deps/ready: $(wildcard setup/*.txt) $(SETUP)
	@$(SETUP)
	@touch $@

.deps/develop: $(wildcard setup/*.txt) $(SETUP)
	@$(SETUP) develop
	@touch $@

.deps/format: setup/lint-tools.txt $(SETUP)
	@$(SETUP) format
	@touch $@

$(BUILD)/build.ninja: $(READY) CMakePresets.json
	@$(CMAKE) --preset $(PRESET) -Wno-dev $(BUNDLE_ARG) $(CMAKE_ARGS)

build: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS) cuset

demo: build
	@$(BIN)/cuset demo

test: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS)
	@tests/run.sh $(BUILD) $(JOBS)

gpu-test: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS)
	@tests/run.sh $(BUILD) $(JOBS) -L 'gpu|unit|e2e'

test-debug:
	@$(MAKE) --no-print-directory PRESET=debug build/debug/build.ninja
	@ninja -C build/debug -j $(JOBS) $(if $(MODULES),$(MODULES:%=%_test),unit_tests)
	@tests/run.sh build/debug $(JOBS) -L unit $(if $(MODULES),-R '^($(subst $(space),|,$(strip $(MODULES))))$$')

test-cmake: $(READY)
	@tests/newest_cmake.sh $(JOBS)

bundle: $(READY)
	@setup/bundle.sh

wheel: build
	@setup/package.py $(BUILD) wheel dist

dist: build
	@setup/package.py $(BUILD) archive dist

install: build
	@DESTDIR='$(DESTDIR)' setup/package.py $(BUILD) install '$(PREFIX)'

format: .deps/develop
	@$(VENV_BIN)/clang-format -i $(CXX_FILES) $(SCRIPT_FILES)

check-format: .deps/format
	@$(VENV_BIN)/clang-format --dry-run --Werror $(CXX_FILES) $(SCRIPT_FILES)

lint: .deps/develop build
	@$(VENV_BIN)/clang-format --dry-run --Werror $(CXX_FILES) $(SCRIPT_FILES)
	@setup/lint.sh $(BUILD) $(MODULE_SOURCES)

fuzz: .deps/develop
	@cmake --preset fuzz
	@ninja -C build/fuzz -j $(JOBS) fuzzers
	@fuzz/run.sh build/fuzz/bin $(SECONDS)

bench: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS) benches
	@bench/run.sh $(BIN)

clean:
	@rm -rf build
