#!/usr/bin/env bash
# Does any class mean one thing in one file and another in the next? The linker would merge their members silently. With
# -flto GCC keeps the types until everything is linked together, and compares them. Nothing is optimized and no machine
# code is written, so this takes a fraction of a build.
#
#     tools/check_odr.sh        # needs GCC, and nanobind for the Python that it finds (or is given as PYTHON)
#
# tests/test_native_names.py reads the sources for the same mistake, for functions too, in no time.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
export COMPILE="${CXX:-g++} -std=c++20 -O0 -flto -fPIC -w -Inative
  -DNB_BACKEND_MODULE=nanobind_backend -DPy_LIMITED_API=0x030b0000
  -I$("$python" -m nanobind --include_dir) -I$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')"
find native -name '*.cpp' -printf '%s %p\n' | sort -rn | cut -d' ' -f2 | # the longest first
  OBJECTS=$objects xargs -P "$(nproc)" -I{} bash -c '$COMPILE -c "{}" -o "$OBJECTS/$(echo "{}" | tr / _).o"'
${CXX:-g++} -O0 -flto -r -flinker-output=rel -Werror=odr -Werror=lto-type-mismatch "$objects"/*.o -o "$objects/all"
echo "One definition of everything in $(find native -name '*.cpp' | wc -l) files."
