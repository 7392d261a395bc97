# Commands for contributors. `make` without a target lists the targets. The scripts in Scripts/ have the steps, and further commands.

# The arguments of the tests, the benchmarks or the demonstration: make test FLAGS='--filter Paths', make floor FLAGS=--json.
FLAGS ?=
# The size of the generated file for the demonstration.
SIZE ?= 256MB
# Where `make install` installs the tool. DESTDIR is a folder in front, for packages.
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
export SWIFT PREFIX DESTDIR

SOURCES := Package.swift Sources Tests Fixtures Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Benchmarks \
	Benchmarks/Peers/Package.swift Benchmarks/Peers/Sources Tool/Package.swift Tool/Sources Tool/Tests/ToolTests

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help demo test test-macros test-bare test-tool test-clients test-all check memory sanitize samples surface weight floor tool install docs \
	format lint clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
	@echo "More commands, each of which prints its usage:" $(filter-out Scripts/common.sh,$(wildcard Scripts/*.sh))

demo: ## Decode real tables and a large generated file: SIZE=4GB for a larger file
	@Scripts/tool.sh demo --size $(SIZE) $(FLAGS)

test: ## Run the tests that need no macros: FLAGS='--filter Name' for some tests, SLUICE_ROUNDS=full for all rounds
	@Scripts/test.sh test $(FLAGS)

test-macros: ## Run the tests of the macros, which build swift-syntax
	@Scripts/test.sh macros $(FLAGS)

test-bare: ## Run a selection of the tests without system libraries and macros
	@Scripts/test.sh bare $(FLAGS)

test-tool: ## Run the tests of the tool, and of the models that it infers
	@Scripts/test.sh tool $(FLAGS)

test-clients: ## Build and run small packages that use Sluice, and compare their instructions and machine code with accepted ones
	@Scripts/clients.sh NoMacros NoYajl Loops
	@Scripts/measure.sh debug-counts
	@Scripts/measure.sh weight

test-all: test test-macros test-bare test-tool test-clients ## Run all of these tests

check: ## Run the fast tests without macros: the inner loop
	@Scripts/test.sh check $(FLAGS)

memory: ## Measure the memory of streams, whose peak must not depend on the length of the input
	@Scripts/test.sh memory $(FLAGS)

sanitize: ## Run the tests without macros under the address, leak and undefined behavior sanitizers
	@Scripts/test.sh sanitize $(FLAGS)

samples: ## Copy the samples of the documentation to the tests, as the targets above do
	@Scripts/samples.sh

surface: ## Rewrite the list of the public declarations
	@Scripts/test.sh surface

weight: ## Fail if the machine code of the modules has grown
	@Scripts/measure.sh weight

floor: ## Compare with bare yajl and Foundation: FLAGS=--json, --memory, --only NAME
	@Scripts/measure.sh floor $(FLAGS)

tool: ## Build the sluice tool, which reads compressed files, too
	@Scripts/tool.sh build

install: ## Install the tool, its completions and its manual page: PREFIX=/usr/local
	@Scripts/tool.sh install

docs: ## Write the documentation to .build/docs
	@Scripts/docs.sh

format: ## Format the sources
	@$(SWIFT) format --in-place --configuration .swift-format --recursive --parallel $(SOURCES)

lint: ## Check the format of the sources
	@$(SWIFT) format lint --strict --configuration .swift-format --recursive --parallel $(SOURCES)
	@echo "The format of the sources is correct."

clean: ## Remove build products and generated files
	@rm -rf .build .build-* Benchmarks/.build Benchmarks/Peers/.build Fixtures/generated Tests/Clients/*/.build \
		Tests/Clients/*/Sources/Client/Generated Tests/SluiceTests/Documentation/Samples
