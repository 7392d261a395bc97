# The client packages that need other packages or programs: see README.md.

.PHONY: client-live client-sqlite deps-sqlite model-tests client-network client-server client-spark deps-spark client-schema deps-schema

client-live: client/Live ## Fill forms in the terminal while a server replays the answer of a language model

client-sqlite: client/SQLite ## Import 256 MB into SQLite with GRDB, kill the import and continue it

client/SQLite: deps-sqlite

deps-sqlite: deps
	@$(call INSTALL,$(if $(filter Darwin,$(shell uname)),,sqlite3:libsqlite3-dev))

# The models of real files: each file is decoded with the models that the tool has written for it, and encoded.
MODELS := Tests/Clients/Models
CORPUS := twitter.json canada.json citm_catalog.json github_events.json

# The client is not started by `swift run`: the memory of its child processes, which it measures, would include the compilers.
model-tests: tool ## Infer the models of real files, compile them, and compare the encoded values, which takes minutes
	@set -e; files=$$(ls /usr/share/iso-codes/json/iso_*.json 2>/dev/null || ls Fixtures/iso_*.json); \
	files="$$files $$(ls Fixtures/Models/*.json)"; \
	if [ -n "$(SLUICE_CORPUS)" ]; then \
		for file in $(CORPUS); do \
			[ -e "$(SLUICE_CORPUS)/$$file" ] || { echo "$(SLUICE_CORPUS) lacks $$file." >&2; exit 1; }; \
			files="$$files $(SLUICE_CORPUS)/$$file"; \
		done; \
	else \
		echo "SLUICE_CORPUS is not set: $(CORPUS) are skipped." >&2; \
	fi; \
	$(ORDERED) $(SWIFT) build --product sluice-demo $(TOOL) $(QUIET) >&2; \
	tool=$$($(SWIFT) build --show-bin-path $(TOOL))/sluice; \
	mkdir -p $(MODELS)/.build; \
	$$tool-demo generate --size 4MB --output $(MODELS)/.build/records.json; \
	$(MODELS)/generate.sh $$tool $(CURDIR)/$(MODELS)/.build/inputs $(MODELS)/Sources/Client/Generated \
		$$files $(CURDIR)/$(MODELS)/.build/records.json
	@$(ORDERED) $(SWIFT) build --package-path $(MODELS) $(QUIET) >&2
	@$$($(SWIFT) build --package-path $(MODELS) --show-bin-path)/Client $(CURDIR)/$(MODELS)/.build/inputs \
		$$($(SWIFT) build --show-bin-path $(TOOL))/sluice

client-network: ## Build and run the samples of AsyncHTTPClient and SwiftNIO, which takes minutes
	@$(ORDERED) $(SWIFT) run --package-path Tests/Clients/Network $(QUIET) Client

# An upload has 64 MB unless SIZE is set. The default of SIZE is that of the demonstration.
CLIENT_Server := -c release
UPLOAD := $(if $(filter command environment,$(word 1,$(origin SIZE))),$(SIZE))

client-server: deps-sqlite ## Upload JSON to a server, which stores it in SQLite, and download it in flat memory: SIZE=1GB
	@echo "Building the client. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) run --package-path Tests/Clients/Server $(CLIENT_Server) $(QUIET) Client $(UPLOAD)

# PySpark with all of its Java libraries is in the client's folder.
SPARK := Tests/Clients/Spark
PYSPARK := $(SPARK)/.build/pyspark
CLIENT_Spark := -c release

client-spark: deps-spark $(PYSPARK)/bin/spark-submit ## Aggregate ranges of files with PySpark, which takes minutes: SIZE=64MB
	@echo "Building the client and the sluice tool. The first build takes minutes." >&2
	@$(ORDERED) $(SWIFT) build --package-path $(SPARK) $(CLIENT_Spark) $(QUIET) >&2
	@products=$$($(SWIFT) build --package-path $(SPARK) $(CLIENT_Spark) --show-bin-path); \
		$(PYSPARK)/bin/python $(SPARK)/spark_client.py $$products/Client $$products/sluice $(SIZE)

$(PYSPARK)/bin/spark-submit: | deps-spark
	@echo "Installing PySpark into $(PYSPARK), which takes about 500 MB." >&2
	@python3 -m venv $(PYSPARK)
	@$(PYSPARK)/bin/pip install --quiet --disable-pip-version-check 'pyspark>=4,<5' >&2

# A Java runtime, modules of Python that Debian has in packages of their own, and ps for the check of a killed executor.
deps-spark:
	@$(call INSTALL,,command -v java >/dev/null || missing="$$missing openjdk-17-jre-headless"; \
		python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; \
		command -v ps >/dev/null || missing="$$missing procps")

# The packages of Python are in a folder of their own. hypothesis-jsonschema does not work with later versions of hypothesis.
SCHEMA := .build-schema
CLIENT_Schema := --scratch-path $(CURDIR)/.build-bare

client-schema: deps-schema $(SCHEMA)/bin/hypothesis ## Compare schemas with the verdicts of jsonschema on random documents: SEED=7
	@$(ORDERED) $(SWIFT) build --package-path Tests/Clients/Schema $(CLIENT_Schema) $(QUIET) >&2
	@products=$$($(SWIFT) build --package-path Tests/Clients/Schema $(CLIENT_Schema) --show-bin-path); \
		$(SCHEMA)/bin/python Tests/Clients/Schema/schema_tests.py $$products/Client --seed $(SEED) $(FLAGS)

$(SCHEMA)/bin/hypothesis: | deps-schema
	@python3 -m venv $(SCHEMA)
	@$(SCHEMA)/bin/pip install --quiet --disable-pip-version-check \
		'jsonschema>=4,<5' 'hypothesis-jsonschema==0.23.1' 'hypothesis==6.100.0' >&2

deps-schema:
	@$(call INSTALL,,python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv")
