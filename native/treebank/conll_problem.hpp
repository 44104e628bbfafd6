// What is wrong with a treebank file: where, what, and what to do about it.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"

namespace headwise::treebank {

struct ConllProblem : std::exception {
  ConllProblem(std::uint64_t line, std::uint64_t column, std::string problem, std::string remedy)
      : line(line), column(column), problem(std::move(problem)), remedy(std::move(remedy)) {}

  const char* what() const noexcept override { return problem.c_str(); }

  std::uint64_t line;    // in the file, from 1
  std::uint64_t column;  // character in the line, from 1
  std::string problem;
  std::string remedy;
};

// Throws the problem at an offset of bytes that begin at line first_line of their file.
[[noreturn]] inline void fail_at(std::string_view bytes, std::uint64_t first_line, std::size_t offset,
                                 std::string problem, std::string remedy) {
  const auto before = bytes.substr(0, offset);
  const auto lines = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const auto newline = before.rfind('\n');
  auto line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  if (line_begin == 0 && before.starts_with("\xEF\xBB\xBF")) line_begin = 3;
  throw ConllProblem(first_line + lines, count_characters(before.substr(line_begin)) + 1, std::move(problem),
                     std::move(remedy));
}

inline void require_text(std::string_view bytes, std::uint64_t first_line) {
  const auto at = find_invalid_text(bytes);
  if (at == bytes.size()) return;
  if (bytes[at] == '\0') {
    fail_at(bytes, first_line, at, "a NUL byte is in the text",
            "remove it, or convert the file to UTF-8 if it is UTF-16");
  }
  static constexpr char digits[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(bytes[at]);
  if (first_line == 1 && at == 0 && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))) {
    fail_at(bytes, first_line, at, "the file is UTF-16 text", "convert it to UTF-8: iconv -f utf-16 -t utf-8");
  }
  fail_at(bytes, first_line, at,
          std::string("the byte 0x") + digits[byte >> 4] + digits[byte & 15] + " is not UTF-8 text",
          "convert the file to UTF-8 (iconv -f ENCODING -t utf-8, with the encoding that it was written in)");
}

}  // namespace headwise::treebank
