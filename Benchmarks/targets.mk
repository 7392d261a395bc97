# The measurements: see README.md.

.PHONY: build-floor floor instructions check-counts accept-counts charts bench peers live-peers model-cost tool-speed fixtures

# The sizes of the generated fixtures.
SIZES ?= 1MB 16MB 256MB
floor instructions check-counts accept-counts charts bench peers: export SLUICE_CORPUS := $(SLUICE_CORPUS)

# The program of the benchmarks.
build-floor: deps
	@echo "Building the benchmarks. The first build takes minutes, because the macros need swift-syntax." >&2
	@$(ORDERED) $(SWIFT) build --package-path Benchmarks -c release --product floor $(QUIET) >&2

floor: build-floor ## Compare with bare yajl and Foundation: FLAGS=--json, --memory, --only NAME
	@Benchmarks/.build/release/floor $(FLAGS)

instructions: build-floor ## Count the instructions of the benchmarks with valgrind: FLAGS='--row canada'
	@Benchmarks/.build/release/floor --instructions $(FLAGS)

# The counts that `make instructions` printed when they were accepted.
COUNTS := Benchmarks/Results/instructions.jsonl

check-counts: build-floor ## Fail if a benchmark takes more instructions or allocations than before
	@Benchmarks/.build/release/floor --instructions --limits $(COUNTS) $(FLAGS)

accept-counts: build-floor ## Accept the instructions and allocations of all benchmarks
	@Benchmarks/.build/release/floor --instructions --json >$(COUNTS).new
	@lost=$$(awk -F '"' 'NR == FNR { rows[$$4]; next } !($$4 in rows) { print $$4 }' $(COUNTS).new $(COUNTS)); \
	if [ -n "$$lost" ]; then \
		echo "Not measured, perhaps because SLUICE_CORPUS has no files. The other rows are in $(COUNTS).new:" >&2; \
		echo "$$lost" >&2; exit 1; \
	fi; mv $(COUNTS).new $(COUNTS)

# With FLAGS='--only memory', one kind of measurement. The results that exist are drawn.
charts: build-floor ## Measure, and draw charts into Benchmarks/Charts, which takes minutes
	@$(SWIFT) build --package-path Benchmarks -c release --product charts $(QUIET) >&2
	@Benchmarks/.build/release/charts measure Benchmarks/.build/release/floor Benchmarks/Results $(FLAGS)
	@Benchmarks/.build/release/charts draw Benchmarks/Results Benchmarks/Charts
	@for chart in decode encode memory streams workers; do \
		cp Benchmarks/Charts/$$chart-light.svg Sources/Sluice/Sluice.docc/Resources/$$chart.svg; \
		cp Benchmarks/Charts/$$chart-dark.svg Sources/Sluice/Sluice.docc/Resources/$$chart~dark.svg; \
	done

bench: deps ## Measure Sluice alone, to compare runs
	@$(SWIFT) package --package-path Benchmarks benchmark $(if $(QUIET),--no-progress) $(FLAGS)

peers: deps ## Compare with other packages for JSON, which are cloned and built: FLAGS=--json
	@echo "Building the other packages. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) build --package-path Benchmarks/Peers -c release $(QUIET) >&2
	@set -e; for peer in swift-yyjson ikigajson reerjson; do \
		$$($(SWIFT) build --package-path Benchmarks/Peers -c release --show-bin-path)/peer-$$peer $(FLAGS); \
	done

# The packages of Python are in a folder of their own.
LIVEPEERS := .build-live-peers

live-peers: $(LIVEPEERS)/bin/python ## Measure packages of Python that read JSON whose end has not arrived, which takes minutes
	@$(LIVEPEERS)/bin/python Benchmarks/Peers/live_peers.py

$(LIVEPEERS)/bin/python: | deps-schema
	@python3 -m venv $(LIVEPEERS)
	@$(LIVEPEERS)/bin/pip install --quiet --disable-pip-version-check jiter partial-json-parser >&2

model-cost: ## Compare the compilation of 200 models with that of Codable types, which takes minutes: FLAGS=50
	@SWIFT=$(SWIFT) Benchmarks/model_cost.sh $(FLAGS)

# DuckDB is a package of Python. jq and gron are left out unless they are installed.
TOOLPEERS := .build-tool-peers

tool-speed: tool $(TOOLPEERS)/bin/python ## Compare the tool with jq, gron, DuckDB and Python, with 200 MB, which takes minutes
	@$(ORDERED) $(SWIFT) build --product sluice-demo $(TOOL) $(QUIET) >&2
	@set -e; products=$$($(SWIFT) build --show-bin-path $(TOOL)); \
		mkdir -p Fixtures/generated; file=Fixtures/generated/records-200MB.json; \
		[ -e $$file ] || $$products/sluice-demo generate --size 200MB --output $$file; \
		$(TOOLPEERS)/bin/python Benchmarks/Peers/tool_speed.py $$products/sluice $$file

$(TOOLPEERS)/bin/python: | deps-schema
	@python3 -m venv $(TOOLPEERS)
	@$(TOOLPEERS)/bin/pip install --quiet --disable-pip-version-check duckdb >&2 || true

fixtures: demo-tool ## Generate records into Fixtures/generated: SIZES='1MB 4GB'
	@mkdir -p Fixtures/generated
	@for size in $(SIZES); do \
		.build-demo/release/sluice-demo generate --size $$size --output Fixtures/generated/records-$$size.json || exit; \
	done
