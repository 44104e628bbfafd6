// How a form becomes a lemma: change its case, cut a prefix and a suffix, put others in their place.
//
// As text: CASE PREFIX_CUT "+" PREFIX "/" SUFFIX_CUT "+" SUFFIX with cuts in characters, so that
// "l0+/3+y" makes "family" of "Families". CASE is l (lower case first) or k (keep). "=lemma" is the whole
// lemma, for forms that have nothing in common with theirs ("=go" for "went") or would need a slash in PREFIX.
#pragma once
#include "rooms.hpp"
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scoring/features/atoms.hpp"
#include "base/unicode/characters.hpp"
#include "base/utf8.hpp"

namespace headwise::tagging {

class LemmaScript {
 public:
  explicit LemmaScript(std::string_view text) {
    const auto fail = [&] { return std::invalid_argument("'" + std::string(text) + "' is not a lemma script"); };
    if (text.starts_with('=') && text.size() > 1) {
      whole_ = text.substr(1);
      return;
    }
    if (!text.starts_with('l') && !text.starts_with('k')) throw fail();
    lower_ = text[0] == 'l';
    const char* at = text.data() + 1;
    const char* const end = text.data() + text.size();
    const auto number = [&](int& value) {
      const auto [rest, error] = std::from_chars(at, end, value);
      if (error != std::errc() || rest == end || *rest != '+') throw fail();
      at = rest + 1;
    };
    number(prefix_cut_);
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    const auto slash = rest.find('/');
    if (slash == std::string_view::npos) throw fail();
    prefix_ = rest.substr(0, slash);
    at += slash + 1;
    number(suffix_cut_);
    suffix_ = std::string_view(at, static_cast<std::size_t>(end - at));
  }

  // Whether a form of so many characters is long enough, and leaves something.
  bool fits(int characters) const {
    if (!whole_.empty()) return true;
    const int kept = characters - prefix_cut_ - suffix_cut_;
    return kept > 0 || (kept == 0 && !(prefix_.empty() && suffix_.empty()));
  }

  // The lemma of a form that fits.
  std::string apply(std::string_view form) const {
    if (!whole_.empty()) return whole_;
    std::string text;
    if (lower_) append_lower(text, form);
    else text = form;
    const auto length = static_cast<int>(count_characters(text));
    const std::size_t begin = utf8_offset(text, prefix_cut_), end = utf8_offset(text, length - suffix_cut_);
    return prefix_ + text.substr(begin, end - begin) + suffix_;
  }

 private:
  bool lower_ = false;
  int prefix_cut_ = 0, suffix_cut_ = 0;
  std::string whole_, prefix_, suffix_;
};

}  // namespace headwise::tagging
