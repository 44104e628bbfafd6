// Endings by which names of hosts and files are known from words with a space missing: x.org/a, but him.and/or and Node.js/React;
// .doc files, but .the trees.
#pragma once
#include "rooms.hpp"
#include <algorithm>
#include <iterator>
#include <string_view>

#include "text/boundary_features.hpp"

namespace headwise::text {

// Domains that addresses are written with, in the order of the alphabet. Some are words of English or French: those that are hardly
// seen in addresses are left out (as, at, do, et, in, is, la, my, no, so, to), and so is an ending of files (md); be, it, me and
// others are not, for youtu.be/a and t.me/a, and "tell.me/us" is taken for an address.
inline constexpr std::string_view domains[] = {
    "ac", "ae", "af", "ai", "al", "app", "ar", "ba", "bd", "be", "bg", "biz", "bo", "br", "by", "ca", "ch", "cl", "cn",
    "co", "com", "cr", "cu", "cy", "cz", "de", "dev", "dk", "dz", "ec", "edu", "ee", "eg", "es", "eu", "fi", "fm", "fr",
    "ge", "gh", "gl", "gov", "gr", "gt", "hk", "hr", "hu", "id", "ie", "il", "info", "int", "io", "ir", "it", "jp",
    "ke", "kr", "kz", "lb", "li", "lk", "lt", "lu", "lv", "ly", "ma", "me", "mil", "mk", "mn", "mt", "mx", "net", "ng",
    "nl", "np", "nz", "org", "pe", "ph", "pk", "pl", "pr", "pt", "ro", "rs", "ru", "sa", "se", "sg", "si", "sk", "su",
    "th", "tn", "tr", "tv", "tw", "tz", "ua", "ug", "uk", "us", "uy", "uz", "ve", "vn", "za",
};
// And those of files that texts speak of, without those that are words (bat, jar, log, tar).
inline constexpr std::string_view file_endings[] = {
    "apk", "avi", "bashrc", "bib", "bmp", "cfg", "conf", "cpp", "css", "csv", "dll", "dmg", "doc", "docx", "env",
    "epub", "exe", "flac", "gif", "gitignore", "gz", "hpp", "htm", "html", "ico", "ini", "iso", "jpeg", "jpg", "js",
    "json", "md", "mkv", "mov", "odt", "pdf", "php", "png", "ppt", "pptx", "py", "rar", "rtf", "sh", "sql", "svg",
    "tex", "tif", "toml", "ts", "txt", "wav", "xls", "xlsx", "xml", "yaml", "yml", "zip",
};

inline constexpr int longest_ending = 16;

// Whether characters [begin, end) are one of these words.
template <std::size_t n>
bool is_among(const Characters& text, int begin, int end, const std::string_view (&words)[n]) {
  char word[longest_ending];
  if (end - begin > longest_ending) return false;
  for (int i = begin; i < end; ++i) {
    if (text.code(i) >= 128) return false;
    word[i - begin] = static_cast<char>(text.code(i));
  }
  return std::binary_search(std::begin(words), std::end(words), std::string_view(word, static_cast<std::size_t>(end - begin)));
}

}  // namespace headwise::text
