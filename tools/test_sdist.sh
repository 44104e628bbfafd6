#!/usr/bin/env bash
# Unpacks an sdist somewhere else, installs it as a user would and runs the tests that came with it against what was
# installed: nothing may be missing from it, and no test may need the source tree.
#
#     python -m build --sdist && tools/test_sdist.sh dist/headwise-*.tar.gz
set -euo pipefail
sdist=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$sdist" -C "$folder" --strip-components=1
cd "$folder"
unset PYTHONPATH
python3 -m venv .venv
.venv/bin/pip install --quiet '.[test]'
rm -rf src build # what is left is not needed to run the tests
.venv/bin/python -m pytest -n 2
