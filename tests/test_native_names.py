"""No two native files define the same class or function in the same namespace.

The compiler sees one file at a time and the linker keeps one of each name, so two classes of one name that
never meet in a file become one silently: the destructor of one runs on objects of the other.
tools/check_odr.sh asks the linker itself; this test only reads the files, which takes no time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[1] / "native"

_NOT_CODE = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"\((?:.*?)\)" | "(?:\\.|[^"\\\n])*" | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'
      | ^[ \t]*\#(?:\\\n|[^\n])*""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_TOKEN = re.compile(r"\w+|::|&&|->|\S")
_OPEN, _CLOSE = "([", ")]"


def definitions(code: str) -> list[str]:
    """The classes and functions with external linkage that C++ code defines, with their namespaces."""
    found: list[str] = []
    scopes: list[str | None] = []  # namespaces; None: anything whose names cannot clash with another file's
    pending: list[str] = []  # the tokens since the last statement
    depth = 0  # inside parentheses braces belong to expressions
    for token in _TOKEN.findall(_NOT_CODE.sub(" ", code)):
        if token in _OPEN:
            depth += 1
        elif token in _CLOSE:
            depth -= 1
        if depth or token not in "{};":
            pending.append(token)
            continue
        if token == "{":
            is_namespace, name = _opened(pending)
            if name and not is_namespace and None not in scopes:
                found.append("::".join([*(scope for scope in scopes if scope), name]))
            scopes.append(name if is_namespace else None)
        elif token == "}":
            scopes.pop()
        pending = []
    assert not scopes, "unbalanced braces: the scanner does not understand this file"
    return found


def _opened(tokens: list[str]) -> tuple[bool, str | None]:
    """What a brace opens: whether a namespace, and the name that it defines if other files can see it."""
    if "namespace" in tokens:
        return True, "".join(tokens[tokens.index("namespace") + 1 :]) or None
    template, tokens = _split_template(tokens)
    tokens = [token for token in tokens if token not in ("inline", "constexpr", "HEADWISE_FLATTEN")]
    if not tokens or "static" in tokens:
        return False, None
    if tokens[0] in ("class", "struct", "union", "enum"):
        names = tokens[1:]
        if names[:1] == ["class"]:  # enum class
            names = names[1:]
        if ":" in names:
            names = names[: names.index(":")]
        return False, "".join(name for name in names if name != "final") or None
    if "(" not in tokens or "=" in tokens[: tokens.index("(")]:
        return False, None
    opening = tokens.index("(")
    if (
        opening == 0
        or not re.fullmatch(r"\w+", tokens[opening - 1])
        or "::" in tokens[opening - 2 : opening - 1]
    ):
        return False, None  # an operator, or a member defined outside its class
    return False, f"{template}{tokens[opening - 1]}({', '.join(_parameter_types(tokens[opening + 1 :]))})"


def _split_template(tokens: list[str]) -> tuple[str, list[str]]:
    if tokens[:1] != ["template"]:
        return "", tokens
    depth = 0
    for position, token in enumerate(tokens):
        depth += (token == "<") - (token == ">")
        if position and depth == 0:
            inner, rest = _split_template(tokens[position + 1 :])
            return " ".join(tokens[: position + 1]) + " " + inner, rest
    return "", tokens


def _parameter_types(tokens: list[str]) -> list[str]:
    """The types of parameters, up to the closing parenthesis: names and defaults make no difference."""
    types: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        if token == ")" and depth == 0:
            break
        depth += (token in "([<{") - (token in ")]>}")
        if token == "," and depth == 0:
            types.append([])
        else:
            types[-1].append(token)
    shortened = []
    for parameter in types:
        if "=" in parameter:
            parameter = parameter[: parameter.index("=")]
        named = (
            len(parameter) > 1
            and re.fullmatch(r"\w+", parameter[-1])
            and parameter[-2] not in ("::", "const")
        )
        shortened.append(" ".join(parameter[:-1] if named else parameter))
    return shortened


def duplicates(files: dict[str, str]) -> list[str]:
    """Names that several files define, each with its files."""
    where: dict[str, set[str]] = defaultdict(set)
    for file, code in files.items():
        for name in definitions(code):
            where[name].add(file)
    return [f"{name}: {', '.join(sorted(paths))}" for name, paths in sorted(where.items()) if len(paths) > 1]


@pytest.mark.skipif(not NATIVE.is_dir(), reason="the sources of the native core are not here")
def test_no_two_native_files_define_the_same_name():
    files = {
        str(path.relative_to(NATIVE)): path.read_text("utf-8")
        for path in sorted(NATIVE.rglob("*"))
        if path.suffix in (".hpp", ".cpp")
    }
    assert sum(len(definitions(code)) for code in files.values()) > 100, "the scanner finds nothing"
    assert duplicates(files) == []


def test_the_scanner_sees_what_would_clash():
    one = "namespace a::b { struct Item { int n; }; template <class T> inline void sort(T* items, int n) {} }"
    two = (
        "namespace a { namespace b {\nclass Item final : public Base { ~Item() {} };\n} }  // struct Other {"
    )
    three = "namespace a::b { template <class T> void sort(T* values, int count = 1) { if (n) { } } }"
    assert duplicates({"one": one, "two": two, "three": three}) == [
        "a::b::Item: one, two",
        "a::b::template < class T > sort(T *, int): one, three",
    ]


@pytest.mark.parametrize(
    "other",
    [
        "namespace a { namespace { struct Item {}; } }",  # each file its own
        "namespace b { struct Item {}; }",
        "namespace a { struct Item; void f(const Item& item) {} class Outer { struct Item {}; }; }",
        "namespace a { template <> struct Item<int> {}; }",
        "namespace a { void f() { struct Item { int x = 1'000; }; } }",
        'namespace a { const char* text = "struct Item {"; }\n#define X struct Item { \\\n }',
    ],
)
def test_what_does_not_clash_passes(other):
    assert duplicates({"one": "namespace a { struct Item {}; void f(Item&) {} }", "other": other}) == []
