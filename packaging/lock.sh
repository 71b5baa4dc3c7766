#!/bin/sh
# Resolves pyproject.toml anew into hashed requirement files for every platform; they name no package index.
set -eu
cd "$(dirname "$0")/.."

compile() {
    lock=packaging/locks/$1.txt
    shift
    # A version younger than a week is left alone: a hijacked release is usually found within days.
    .venv/bin/python -m uv pip compile --quiet --upgrade --universal --python-version 3.11 \
        --exclude-newer '7 days' --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
        --custom-compile-command 'make lock' --output-file "$lock" "$@"
}

# The tools are resolved under the till's own versions: tests run what ships.
compile run pyproject.toml --extra sandbox --extra store --extra build
compile dev pyproject.toml --extra dev --constraint packaging/locks/run.txt
compile bundle pyproject.toml --extra bundle --constraint packaging/locks/run.txt
compile docs --group pyproject.toml:docs

# How old they are: a release takes none of more than 45 days (packaging/release.py).
date -u +%F >packaging/locks/resolved

if grep -nE -e '://|--(index|extra-index|find-links|trusted-host)|'"$PWD" packaging/locks/*.txt; then
    echo 'A lock names an address or a path: it is not fit for others to use.' >&2
    exit 1
fi
