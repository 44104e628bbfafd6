#!/usr/bin/env bash
# Builds the core with a sanitizer and runs tests against it; the module in src is left alone.
#
#     tools/sanitized_tests.sh address,undefined                        # the default tests; an hour on two cores
#     tools/sanitized_tests.sh address,undefined tests/treebank -x      # some of them
#     tools/sanitized_tests.sh thread tests/parser/test_parsing.py tests/parser/test_streaming.py
#
# PYTHON names the interpreter, which has the packages of CONTRIBUTING.md; JOBS how many files are compiled at once.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=$1
shift
python=${PYTHON:-python3}
build=build/sanitize-${kind//,/-}
cmake -S . -B "$build" -G Ninja -DHEADWISE_SANITIZE="$kind" -DHEADWISE_IN_PLACE=OFF \
    -DPython_EXECUTABLE="$($python -c 'import sys; print(sys.executable)')"
cmake --build "$build" -j "${JOBS:-2}" --target all core_test
export HEADWISE_BUILD=$build
rm -rf "$build/package"
mkdir -p "$build/package"
cp -r src/headwise "$build/package/headwise"
rm -f "$build"/package/headwise/_native*.so
cp "$build"/_native*.so "$build/package/headwise/"
# Python itself is not built with a sanitizer, so its library has to be there first, and that of C++, whose exceptions it
# watches. Python keeps what it allocates to
# the end, which is no leak of ours; allocations that fail are errors that tests ask for.
case $kind in
  *address*) preload=$(gcc -print-file-name=libasan.so) ;;
  thread) preload=$(gcc -print-file-name=libtsan.so) ;;
  *) preload=$(gcc -print-file-name=libubsan.so) ;;
esac
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=report_bugs=1:exitcode=66
LD_PRELOAD="$preload $(gcc -print-file-name=libstdc++.so.6)" PYTHONPATH=$PWD/$build/package PYTHONMALLOC=malloc $python -m pytest -p no:cacheprovider "$@"
