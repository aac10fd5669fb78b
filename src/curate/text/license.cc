#include "curate/text/license.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cuset::curate {
namespace {

constexpr size_t kLooked = 16 << 10;

struct LicenseMark {
  std::string_view sentence;  // in small letters, with single blanks
  std::string_view name;
};

// The first that fits counts, so that longer names come before those they contain.
constexpr std::array<LicenseMark, 17> kMarks = {{
    {"gnu affero general public license version 3", "AGPL-3.0"},
    {"gnu affero general public license", "AGPL-3.0"},
    {"gnu lesser general public license", "LGPL"},
    {"gnu library general public license", "LGPL"},
    {"gnu general public license version 3", "GPL-3.0"},
    {"gnu general public license", "GPL"},
    {"apache license, version 2.0", "Apache-2.0"},
    {"apache license version 2.0", "Apache-2.0"},
    {"mozilla public license version 2.0", "MPL-2.0"},
    {"mozilla public license, v. 2.0", "MPL-2.0"},
    {"boost software license - version 1.0", "BSL-1.0"},
    {"permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"},
    {"neither the name of", "BSD-3-Clause"},
    {"redistribution and use in source and binary forms", "BSD-2-Clause"},
    {"this is free and unencumbered software released into the public domain", "Unlicense"},
    {"nvidia corporation and its licensors retain all intellectual property", "LicenseRef-NvidiaProprietary"},
    {"all rights reserved. proprietary", "LicenseRef-Proprietary"},
}};

// Small letters; comment signs and white space become single blanks.
std::string plain_words(std::string_view text) {
  std::string words;
  for (const char c : text) {
    const bool is_blank =
        std::isspace(static_cast<unsigned char>(c)) != 0 || c == '*' || c == '/' || c == '#';
    if (!is_blank) words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (is_blank && !words.empty() && words.back() != ' ') words += ' ';
  }
  return words;
}

std::string tag_in(std::string_view text) {
  constexpr std::string_view kTag = "SPDX-License-Identifier:";
  const size_t found = text.find(kTag);
  if (found == std::string_view::npos) return "";
  size_t begin = found + kTag.size();
  while (begin < text.size() && text[begin] == ' ') ++begin;
  size_t end = begin;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '+';
  };
  while (end < text.size() && is_part(text[end])) ++end;
  return std::string(text.substr(begin, end - begin));
}

}  // namespace

std::string license_in(std::string_view text) {
  text = text.substr(0, kLooked);
  if (std::string tag = tag_in(text); !tag.empty()) return tag;
  const std::string words = plain_words(text);
  const auto found = std::find_if(kMarks.begin(), kMarks.end(), [&](const LicenseMark& mark) {
    return words.find(mark.sentence) != std::string::npos;
  });
  return found == kMarks.end() ? "" : std::string(found->name);
}

}  // namespace cuset::curate
