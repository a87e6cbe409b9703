# make figures | test | lab | paste | play | notebooks | bench | lock | clean
# Each sets up .venv when needed. ARGS="..." is handed on, PYTHON=/path/to/python3 chooses the Python.

SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
BENCH_PY := .venv-bench/bin/python
PIP := -m pip --disable-pip-version-check -qq
COMPILE := $(PY) -m uv --no-config pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock"

.PHONY: figures test lab paste play notebooks bench lock clean
.DELETE_ON_ERROR:

# An environment whose Python is gone (moved, upgraded away) is set up anew.
$(shell test -x $(PY) || rm -f $(VENV)/.core $(VENV)/.tests; test -x $(BENCH_PY) || rm -f .venv-bench/.ready)

figures: $(VENV)/.core
	@$(PY) -m hallumaze_kit.study $(ARGS)

test: $(VENV)/.tests
	@$(PY) -m pytest -n auto --maxprocesses 4 --dist loadgroup $(ARGS)

lab: $(VENV)/.core
	@$(PY) -m jupyterlab notebooks $(ARGS)

paste: $(VENV)/.core
	@$(PY) -m voila notebooks/02_paste_answers.ipynb $(ARGS)

# A kernel whose page was closed ends after five minutes; the person goes on in a new one.
play: $(VENV)/.core
	@$(PY) -m voila notebooks/play.ipynb --MappingKernelManager.cull_interval=60 \
		--MappingKernelManager.cull_idle_timeout=300 $(ARGS)

notebooks: $(VENV)/.core
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && \
	$(PY) -m nbconvert --execute --to notebook --output-dir "$$out" $(or $(ARGS),notebooks/*.ipynb)

bench: .venv-bench/.ready
	@$(BENCH_PY) -m benchmarks $(ARGS)

# Everything is resolved together first, so that any extra can be installed on top of either lock.
lock: $(VENV)/.tests
	@$(PY) -m uv --version >/dev/null 2>&1 || $(PY) $(PIP) install uv
	@all=$$(mktemp) && trap 'rm -f "$$all"' EXIT && \
	printf 'setuptools>=77\n' | $(COMPILE) --all-extras pyproject.toml - -o "$$all" $(ARGS) && \
	printf 'setuptools>=77\n' | $(COMPILE) --extra models --extra panels --extra web -c "$$all" pyproject.toml - \
		-o requirements.lock $(ARGS) && \
	printf 'setuptools>=77\n' | $(COMPILE) --extra models --extra panels --extra web --extra tests -c "$$all" pyproject.toml - \
		-o requirements-tests.lock $(ARGS)

clean:
	rm -rf .venv .venv-bench figures/*.png figures/*.pdf figures/*.csv build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +

# ---- environments -------------------------------------------------------------------------------

$(VENV)/.core: requirements.lock pyproject.toml $(PY)
	@echo "Setting up $(VENV) (a few minutes, once) ..."
	@$(PY) -m ensurepip >/dev/null
	@$(PY) $(PIP) install --require-hashes -r requirements.lock
	@$(PY) $(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.tests: requirements-tests.lock $(VENV)/.core
	@echo "Adding what the tests need ..."
	@$(PY) $(PIP) install --require-hashes -r requirements-tests.lock
	@touch $@

.venv-bench/.ready: benchmarks/requirements.txt pyproject.toml $(BENCH_PY)
	@echo "Setting up .venv-bench (the kit and its peers, once) ..."
	@$(BENCH_PY) -m ensurepip >/dev/null
	@$(BENCH_PY) $(PIP) install -r benchmarks/requirements.txt -e '.[models,panels,web]'
	@touch $@

# The first Python that really runs (a shim may not), is new enough and can make environments.
.venv/bin/python .venv-bench/bin/python:
	@bare=; for p in $(if $(PYTHON),"$(PYTHON)",python3.13 python3.12 python3.11 python3); do \
		"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
		if "$$p" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
			"$$p" -m venv --clear $(@D:/bin=) || rm -rf $(@D:/bin=); \
			test -x $@; exit; \
		fi; \
		bare="$$p"; \
	done; \
	if [ -n "$$bare" ]; then \
		echo "$$bare cannot make environments: install venv (Debian, Ubuntu: apt install python3-venv), then run make again." >&2; \
	else \
		echo "No Python 3.11 or newer $(if $(PYTHON),at $(PYTHON),found): install one, or name it: make PYTHON=/path/to/python3" >&2; \
	fi; \
	exit 1
