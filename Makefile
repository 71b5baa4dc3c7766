# Every command of the project. Each one sets up what it needs first and is instant the second time.
SHELL := /bin/sh
.DEFAULT_GOAL := help

# Two environments: the till's own, with nothing it does not ship with (rich alone would slow its start),
# and the one with the tools. Only the till's own tells how fast it starts.
RUN := .venv-run/bin/python
DEV := .venv/bin/python
SCREENSHOTS ?= build/tour
# More than cores: of four on two cores a third of the time went by in waiting for windows and services.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 5)
SEEDS ?= 20000
# Compiled modules are kept even where the environment says otherwise: all workers read each test module.
KEPT = env -u PYTHONDONTWRITEBYTECODE
TESTS = $(KEPT) $(DEV) -m pytest -n $(WORKERS) --maxprocesses=6 --dist worksteal
# Most of a proof waits for what happens on a display. Who gets which is said in tests/verification/proof/conftest.py.
PROOF = $(KEPT) $(DEV) -m pytest -n $(WORKERS) --maxprocesses=4 --dist loadscope \
	-o faulthandler_timeout=280
UNDER_WINE = tests/verification/proof/windows
# The finished folder sells and takes its tour each time; what installs, signs and runs the tests there, before a release.
WINE_LATER = $(foreach each,bare draining installer signing units,$(UNDER_WINE)/test_$(each).py)
PACKAGED = tests/verification/proof/debian $(UNDER_WINE)
VERSIONS = tests/verification/proof/versions
# What bounds a long run (MINUTES=5); RESUME=1 goes on where the last one stopped, so that figures add up.
MINUTES ?=
TIMES ?= 10
bound = $(if $(MINUTES),--minutes $(MINUTES)) $(if $(RESUME),--resume)

.PHONY: help setup-run setup-store store setup-dev setup-campaign setup-proof setup-machine setup-versions setup-bundle setup-deb setup-windows setup-docs run test test-verification unit test-without-qt lint check proof proof-packages machine machine-short versions simulate stories planted month matrix campaign attacks soak fuzz mutants coverage ci bench gallery bundle windows deb sbom release icons languages docs format lock clean

help: ## This list
	@echo 'make run    the till against its own sandbox, with the customer'"'"'s phone beside it'
	@echo 'make test   the tests'
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)$$/\1|\2/p' $(MAKEFILE_LIST) | \
	    while IFS='|' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done

setup-run: ## Debian packages and environment of the till
	@sh packaging/bootstrap.sh run

setup-campaign:
	@sh packaging/bootstrap.sh campaign

setup-proof: setup-bundle
	@sh packaging/bootstrap.sh proof
	@sh packaging/bootstrap.sh packages || echo 'No bare Debian is made: what makes it cannot be installed here.' >&2
	@sh packaging/bootstrap.sh windows || echo 'The till for Windows is not tried: what it is built with cannot be installed here.' >&2

setup-versions:
	@sh packaging/bootstrap.sh versions

setup-machine: setup-deb
	@sh packaging/bootstrap.sh machine || echo 'No machine is tried: what plays one cannot be installed here.' >&2

setup-bundle:
	@sh packaging/bootstrap.sh bundle

setup-deb:
	@sh packaging/bootstrap.sh deb

setup-docs:
	@sh packaging/bootstrap.sh docs

setup-windows: setup-dev
	@sh packaging/bootstrap.sh windows

setup-dev: ## Debian packages and environment of the tests and tools
	@sh packaging/bootstrap.sh dev

setup-store:
	@sh packaging/bootstrap.sh store

store: setup-store ## Three counters with pretend customers and their store, with one link; Ctrl-C ends all
	@exec $(RUN) packaging/store/try_out.py

ifdef STORE
run: setup-store ## The till as the fourth counter of `make store`
	@exec $(RUN) packaging/store/try_out.py till
else
run: setup-run ## The till on this display; without one, its tour with screenshots
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then exec $(RUN) -m pos_app --sandbox; fi; \
	echo 'There is no display here (DISPLAY and WAYLAND_DISPLAY are empty):'; \
	echo 'the till takes its tour off-screen; the screenshots go to $(SCREENSHOTS)/'; \
	QT_QPA_PLATFORM=offscreen $(RUN) -m pos_app tour --screenshots '$(SCREENSHOTS)' && \
	echo 'Done. The screenshots are in $(SCREENSHOTS)/'
endif

test: setup-dev setup-docs ## The tests of the till, those below its window with PySide6 out of reach (WORKERS=0: one process for each half)
	@$(KEPT) $(DEV) -m tests.both_halves -n $(WORKERS) --dist worksteal

test-verification: setup-dev ## The tests of what judges the till: simulation, matrix, campaigns, fuzzing, mutants, bench
	@$(TESTS) tests/verification

unit: setup-dev ## What needs neither window nor PostgreSQL, part by part, in less than a minute: after each edit
	@$(TESTS) -m 'not slow' tests/unit --ignore=tests/unit/ui --ignore=tests/unit/training/phone

test-without-qt: setup-dev ## Those alone, and those of what judges the till, with PySide6 out of reach
	@$(KEPT) $(DEV) -m tests.architecture.without_qt -n $(WORKERS) --maxprocesses=4 --dist worksteal

lint: setup-dev ## Style, types, layers; no tests
	$(DEV) -m ruff check .
	$(DEV) -m ruff format --check .
	$(DEV) -m mypy
	@.venv/bin/lint-imports --no-logo --cache-dir build/importlinter

check: lint test test-verification ## Every check there is

# One machine after the other: each wants the cores for itself.
MACHINE = $(KEPT) $(DEV) -m pytest -n 0 -s -p no:randomly -o faulthandler_timeout=3000
MACHINE_SHORT = tests/verification/machine/test_short.py

proof: setup-proof setup-machine ## The till on a real compositor, display bus, kiosk, in a played machine, as a bundle, Debian packages, under Wine
	@$(PROOF) $(foreach each,$(WINE_LATER) $(VERSIONS),--ignore=$(each)) tests/verification/proof
	@$(MACHINE) $(MACHINE_SHORT)

proof-packages: setup-proof ## Its packages on a bare Debian, and the till for Windows under Wine
	@$(PROOF) $(PACKAGED)

versions: setup-versions ## README's two commands on a bare Debian 13, with each newer Python, and PySide6's next line
	@$(DEV) -m pytest -n 0 -v -p no:randomly -o faulthandler_timeout=0 $(VERSIONS)

machine: setup-machine ## The kiosk in a played machine: started, sold on, killed, reset, cut off, filled up
	@$(MACHINE) tests/verification/machine

machine-short: setup-machine ## The short form of it: started, sold on by keyboard and touch, reset in a payment
	@$(MACHINE) $(MACHINE_SHORT)

simulate: setup-dev ## The till in a world of seeds, judged (SEEDS=20000 RESUME=1)
	@$(DEV) -m tests.verification.simulation --seeds $(SEEDS) $(bound)

stories: setup-dev ## The canonical stories: a crash at each effect, each fault at each call, each pair (MINUTES RESUME)
	@$(DEV) -m tests.verification.simulation.stories $(bound)

planted: setup-dev ## Wrong tills on purpose: by what each is caught and how fast
	@$(DEV) -m tests.verification.simulation.planted

month: setup-dev ## A shop's month of 9,000 payments, a lost journal and a cheat: every rupee found, in three minutes of a core
	@$(DEV) -m tests.verification.month

matrix: setup-dev ## Each fault at each step of a payment, with the count of each cell (TIMES=10 RESUME)
	@$(DEV) -m tests.verification.matrix --times $(TIMES) $(if $(RESUME),--resume)

campaign: setup-campaign ## Real tills killed, cut off, on bad disks, without power, tampered with, copied (MINUTES=24 RESUME)
	@$(DEV) -m tests.verification.campaign $(bound)

# What else repeats an attack lies in the folder of what it attacks.
ATTACKS := tests/attacks tests/integration/cli/test_put_back.py tests/integration/cli/test_another_address.py tests/integration/cli/test_many_open.py \
	tests/integration/cli/test_whom_it_calls.py tests/end_to_end/test_another_address.py tests/end_to_end/test_dishonest_cashier.py tests/verification/campaign/test_copies.py \
	tests/unit/engine/test_rebuilding_at_the_sandbox.py tests/architecture/test_bundle_install.py \
	$(wildcard tests/integration/cli/test_missing_files.py tests/integration/cli/test_first_start_cut_off.py tests/integration/cli/test_foreign_numbers.py \
	tests/integration/cli/test_sandbox_forbidden.py tests/end_to_end/test_lock_lost.py tests/end_to_end/test_lost_people.py \
	tests/end_to_end/test_sandbox_apart.py tests/unit/ui/test_sandbox_marks.py tests/unit/engine/test_first_manager.py \
	tests/unit/engine/test_codes_for_the_machine.py tests/unit/journal/test_lock.py)

attacks: setup-campaign ## What was tried against the till, tried again (docs/attacks.md), and copied folders for a minute
	@$(DEV) -m pytest -n $(WORKERS) --maxprocesses=4 --dist worksteal $(ATTACKS)
	@$(DEV) -m tests.verification.campaign copies --minutes $(or $(MINUTES),1)

soak: setup-campaign ## 10,000 payments in an hour: memory and descriptors flat (MINUTES=60 RESUME)
	@$(DEV) -m tests.verification.campaign.soak $(bound)

fuzz: setup-dev ## Parser, settings, command line, QR text, sandbox, a random cashier (MINUTES RESUME)
	@$(DEV) -m tests.verification.fuzz $(bound)

mutants: setup-dev ## Small wrong changes of flow, journal and wire parser: who notices them (MINUTES RESUME)
	@$(DEV) -m tests.verification.mutants $(bound)

coverage: setup-dev ## Every branch of flow, journal and wire parser taken by their own tests
	@$(DEV) -m tests.verification.mutants.coverage

ci: setup-campaign ## The short form of all of these, within 25 minutes
	$(DEV) -m tests.verification.simulation --minutes 1.5
	$(DEV) -m tests.verification.simulation.stories --minutes 1.5
	$(DEV) -m tests.verification.simulation.planted
	$(DEV) -m tests.verification.month --days 4 --payments 500
	$(DEV) -m tests.verification.matrix --times 3
	$(DEV) -m tests.verification.campaign --minutes 5
	$(DEV) -m tests.verification.campaign.soak --minutes 1 --payments 150
	$(DEV) -m tests.verification.fuzz --minutes 3
	$(DEV) -m tests.verification.mutants.coverage
	$(DEV) -m tests.verification.mutants --minutes 3

bench: setup-run setup-dev setup-bundle ## Each speed goal beside its floor
	@TILL_PYTHON=$(CURDIR)/$(RUN) $(DEV) -m tests.verification.bench

gallery: setup-run ## A picture of each component and each payment state, in build/gallery
	@QT_QPA_PLATFORM=offscreen $(RUN) -m pos_app gallery --screenshots build/gallery

bundle: setup-bundle ## The till as one folder that needs no Python: dist/pos-app, with its install script
	@sh packaging/bundle/build.sh

deb: setup-deb bundle ## Two Debian packages of it, in dist (RELEASE_KEY=FILE signs what is inside)
	@sh packaging/deb/build.sh

sbom: bundle ## What the folder carries, as CycloneDX: dist/pos-app.cdx.json
	@.venv-bundle/bin/python packaging/sbom.py dist/pos-app \
	    "$$(sed -n 's/^version = "\(.*\)"$$/\1/p' pyproject.toml)" dist/pos-app.cdx.json

release: setup-dev ## What shops install, built twice, tried, summed, signed (RELEASE_KEY= SIGN= REHEARSE=1 RESUME=1 AUDIT=1)
	@$(DEV) packaging/release.py $(if $(REHEARSE),--rehearse) $(if $(RESUME),--resume) $(if $(AUDIT),--audit) \
	    $(if $(STEPS),--steps '$(STEPS)')

icons: ## The till's icon in every size of a desktop, in build/icons
	@sh packaging/desktop/icons.sh build/icons

windows: setup-windows ## The till for Windows, built here: dist/windows
	@sh packaging/windows/build.sh

languages: setup-dev ## Bring resources/languages up to the words of the screens, and compile them
	@$(DEV) -m tests.unit.i18n

docs: setup-dev setup-docs ## Write what docs/ has from the code, then the guides as a site: dist/docs
	@$(DEV) -m tests.documents
	@$(DEV) -m tests.documents.pictures
	@.venv-docs/bin/mkdocs build --strict --quiet --config-file packaging/docs/mkdocs.yml
	@echo 'dist/docs/index.html'

format: setup-dev ## Rewrite the code in the project's style
	@$(DEV) -m ruff check --fix-only --quiet .
	@$(DEV) -m ruff format .

lock: setup-dev ## Resolve the dependencies anew into packaging/locks
	@sh packaging/lock.sh

clean: ## Remove what was built; the environments stay
	rm -rf build dist resources/languages/*.mo .hypothesis .ruff_cache .import_linter_cache
	find pos_app tests -name __pycache__ -type d -prune -exec rm -rf {} +
