#!/bin/sh
# Resolves pyproject.toml anew into hashed requirement files for every platform; they name no package index.
set -eu
cd "$(dirname "$0")/.."

# All of them or none: of a network that went away half way some would be of today, under the day of the others.
new=build/locks
rm -rf "$new"
mkdir -p "$new"

compile() {
    lock=$new/$1.txt
    shift
    # A version younger than a week is left alone: a hijacked release is usually found within days.
    .venv/bin/python -m uv pip compile --quiet --upgrade --universal --python-version 3.11 \
        --exclude-newer '7 days' --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
        --custom-compile-command 'make lock' --output-file "$lock" "$@"
}

# The tools are resolved under the till's own versions: tests run what ships.
compile run pyproject.toml --extra sandbox --extra store --extra build
compile dev pyproject.toml --extra dev --constraint "$new/run.txt"
compile bundle pyproject.toml --extra bundle --constraint "$new/run.txt"
compile docs --group pyproject.toml:docs

if grep -nE -e '://|--(index|extra-index|find-links|trusted-host)|'"$PWD" "$new"/*.txt; then
    echo 'A lock names an address or a path: it is not fit for others to use.' >&2
    exit 1
fi

# How old they are: a release takes none of more than 45 days (packaging/release.py).
date -u +%F >"$new/resolved"
mv -f "$new"/* packaging/locks
