#include "text/jinja/case.h"

#include <utf8proc.h>

#include <algorithm>

namespace cuset::text::jinja {
namespace {

enum class Case { upper, lower, title };

struct SpecialCase {
  int32_t code_point;
  const char* upper;
  const char* title;
};

// Unicode's SpecialCasing.txt: characters whose upper or title case is more than one character.
constexpr SpecialCase kSpecialCases[] = {
    {0x00DF, "SS", "Ss"},
    {0x0149, "\u02BCN", "\u02BCN"},
    {0x01F0, "J\u030C", "J\u030C"},
    {0x0390, "\u0399\u0308\u0301", "\u0399\u0308\u0301"},
    {0x03B0, "\u03A5\u0308\u0301", "\u03A5\u0308\u0301"},
    {0x0587, "\u0535\u0552", "\u0535\u0582"},
    {0x1E96, "H\u0331", "H\u0331"},
    {0x1E97, "T\u0308", "T\u0308"},
    {0x1E98, "W\u030A", "W\u030A"},
    {0x1E99, "Y\u030A", "Y\u030A"},
    {0x1E9A, "A\u02BE", "A\u02BE"},
    {0x1F50, "\u03A5\u0313", "\u03A5\u0313"},
    {0x1F52, "\u03A5\u0313\u0300", "\u03A5\u0313\u0300"},
    {0x1F54, "\u03A5\u0313\u0301", "\u03A5\u0313\u0301"},
    {0x1F56, "\u03A5\u0313\u0342", "\u03A5\u0313\u0342"},
    {0x1F80, "\u1F08\u0399", "\u1F88"},
    {0x1F81, "\u1F09\u0399", "\u1F89"},
    {0x1F82, "\u1F0A\u0399", "\u1F8A"},
    {0x1F83, "\u1F0B\u0399", "\u1F8B"},
    {0x1F84, "\u1F0C\u0399", "\u1F8C"},
    {0x1F85, "\u1F0D\u0399", "\u1F8D"},
    {0x1F86, "\u1F0E\u0399", "\u1F8E"},
    {0x1F87, "\u1F0F\u0399", "\u1F8F"},
    {0x1F88, "\u1F08\u0399", "\u1F88"},
    {0x1F89, "\u1F09\u0399", "\u1F89"},
    {0x1F8A, "\u1F0A\u0399", "\u1F8A"},
    {0x1F8B, "\u1F0B\u0399", "\u1F8B"},
    {0x1F8C, "\u1F0C\u0399", "\u1F8C"},
    {0x1F8D, "\u1F0D\u0399", "\u1F8D"},
    {0x1F8E, "\u1F0E\u0399", "\u1F8E"},
    {0x1F8F, "\u1F0F\u0399", "\u1F8F"},
    {0x1F90, "\u1F28\u0399", "\u1F98"},
    {0x1F91, "\u1F29\u0399", "\u1F99"},
    {0x1F92, "\u1F2A\u0399", "\u1F9A"},
    {0x1F93, "\u1F2B\u0399", "\u1F9B"},
    {0x1F94, "\u1F2C\u0399", "\u1F9C"},
    {0x1F95, "\u1F2D\u0399", "\u1F9D"},
    {0x1F96, "\u1F2E\u0399", "\u1F9E"},
    {0x1F97, "\u1F2F\u0399", "\u1F9F"},
    {0x1F98, "\u1F28\u0399", "\u1F98"},
    {0x1F99, "\u1F29\u0399", "\u1F99"},
    {0x1F9A, "\u1F2A\u0399", "\u1F9A"},
    {0x1F9B, "\u1F2B\u0399", "\u1F9B"},
    {0x1F9C, "\u1F2C\u0399", "\u1F9C"},
    {0x1F9D, "\u1F2D\u0399", "\u1F9D"},
    {0x1F9E, "\u1F2E\u0399", "\u1F9E"},
    {0x1F9F, "\u1F2F\u0399", "\u1F9F"},
    {0x1FA0, "\u1F68\u0399", "\u1FA8"},
    {0x1FA1, "\u1F69\u0399", "\u1FA9"},
    {0x1FA2, "\u1F6A\u0399", "\u1FAA"},
    {0x1FA3, "\u1F6B\u0399", "\u1FAB"},
    {0x1FA4, "\u1F6C\u0399", "\u1FAC"},
    {0x1FA5, "\u1F6D\u0399", "\u1FAD"},
    {0x1FA6, "\u1F6E\u0399", "\u1FAE"},
    {0x1FA7, "\u1F6F\u0399", "\u1FAF"},
    {0x1FA8, "\u1F68\u0399", "\u1FA8"},
    {0x1FA9, "\u1F69\u0399", "\u1FA9"},
    {0x1FAA, "\u1F6A\u0399", "\u1FAA"},
    {0x1FAB, "\u1F6B\u0399", "\u1FAB"},
    {0x1FAC, "\u1F6C\u0399", "\u1FAC"},
    {0x1FAD, "\u1F6D\u0399", "\u1FAD"},
    {0x1FAE, "\u1F6E\u0399", "\u1FAE"},
    {0x1FAF, "\u1F6F\u0399", "\u1FAF"},
    {0x1FB2, "\u1FBA\u0399", "\u1FBA\u0345"},
    {0x1FB3, "\u0391\u0399", "\u1FBC"},
    {0x1FB4, "\u0386\u0399", "\u0386\u0345"},
    {0x1FB6, "\u0391\u0342", "\u0391\u0342"},
    {0x1FB7, "\u0391\u0342\u0399", "\u0391\u0342\u0345"},
    {0x1FBC, "\u0391\u0399", "\u1FBC"},
    {0x1FC2, "\u1FCA\u0399", "\u1FCA\u0345"},
    {0x1FC3, "\u0397\u0399", "\u1FCC"},
    {0x1FC4, "\u0389\u0399", "\u0389\u0345"},
    {0x1FC6, "\u0397\u0342", "\u0397\u0342"},
    {0x1FC7, "\u0397\u0342\u0399", "\u0397\u0342\u0345"},
    {0x1FCC, "\u0397\u0399", "\u1FCC"},
    {0x1FD2, "\u0399\u0308\u0300", "\u0399\u0308\u0300"},
    {0x1FD3, "\u0399\u0308\u0301", "\u0399\u0308\u0301"},
    {0x1FD6, "\u0399\u0342", "\u0399\u0342"},
    {0x1FD7, "\u0399\u0308\u0342", "\u0399\u0308\u0342"},
    {0x1FE2, "\u03A5\u0308\u0300", "\u03A5\u0308\u0300"},
    {0x1FE3, "\u03A5\u0308\u0301", "\u03A5\u0308\u0301"},
    {0x1FE4, "\u03A1\u0313", "\u03A1\u0313"},
    {0x1FE6, "\u03A5\u0342", "\u03A5\u0342"},
    {0x1FE7, "\u03A5\u0308\u0342", "\u03A5\u0308\u0342"},
    {0x1FF2, "\u1FFA\u0399", "\u1FFA\u0345"},
    {0x1FF3, "\u03A9\u0399", "\u1FFC"},
    {0x1FF4, "\u038F\u0399", "\u038F\u0345"},
    {0x1FF6, "\u03A9\u0342", "\u03A9\u0342"},
    {0x1FF7, "\u03A9\u0342\u0399", "\u03A9\u0342\u0345"},
    {0x1FFC, "\u03A9\u0399", "\u1FFC"},
    {0xFB00, "FF", "Ff"},
    {0xFB01, "FI", "Fi"},
    {0xFB02, "FL", "Fl"},
    {0xFB03, "FFI", "Ffi"},
    {0xFB04, "FFL", "Ffl"},
    {0xFB05, "ST", "St"},
    {0xFB06, "ST", "St"},
    {0xFB13, "\u0544\u0546", "\u0544\u0576"},
    {0xFB14, "\u0544\u0535", "\u0544\u0565"},
    {0xFB15, "\u0544\u053B", "\u0544\u056B"},
    {0xFB16, "\u054E\u0546", "\u054E\u0576"},
    {0xFB17, "\u0544\u053D", "\u0544\u056D"},
};

const SpecialCase* find_special(int32_t c) {
  const auto* end = std::end(kSpecialCases);
  const auto* found =
      std::lower_bound(std::begin(kSpecialCases), end, c,
                       [](const SpecialCase& row, int32_t key) { return row.code_point < key; });
  return found != end && found->code_point == c ? found : nullptr;
}

bool is_cased(int32_t c) {
  const auto category = utf8proc_category(c);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT;
}

bool is_case_ignorable(int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return c == '\'' || c == '.' || c == ':' || c == 0xB7 || c == 0x2019 || c == 0x2018 || c == 0x2024 ||
             c == 0x2027;
  }
}

bool cased_letter_before(std::string_view text, size_t position) {
  while (position > 0) {
    position = code_point_before(text, position);
    const int32_t c = code_point_at(text, position).value;
    if (!is_case_ignorable(c)) return is_cased(c);
  }
  return false;
}

bool cased_letter_after(std::string_view text, size_t position) {
  while (position < text.size()) {
    const CodePoint c = code_point_at(text, position);
    if (!is_case_ignorable(c.value)) return is_cased(c.value);
    position = c.end;
  }
  return false;
}

class CaseMapper {
 public:
  CaseMapper(const Text& text, Budget& budget) : text_(text) { budget.charge(text.remarking_cost()); }

  void map(size_t position, CodePoint c, Case to) {
    mapped_.clear();
    constexpr int32_t kSigma = 0x3A3, kFinalSigma = 0x3C2, kDottedI = 0x130;
    const SpecialCase* special = to == Case::lower ? nullptr : find_special(c.value);
    if (special != nullptr) {
      mapped_ = to == Case::upper ? special->upper : special->title;
    } else if (to == Case::lower && c.value == kDottedI) {
      mapped_ = "i\u0307";
    } else if (to == Case::lower && c.value == kSigma && is_final(position, c.end)) {
      append_code_point(mapped_, kFinalSigma);
    } else {
      append_code_point(mapped_, simple(c.value, to));
    }
    out_.append_mapped(mapped_, text_, position, c.end);
  }

  TextPtr finish() {
    Text result = out_.take();
    result.is_safe = text_.is_safe;
    return std::make_shared<const Text>(std::move(result));
  }

 private:
  static int32_t simple(int32_t c, Case to) {
    if (to == Case::lower) return utf8proc_tolower(c);
    return to == Case::upper ? utf8proc_toupper(c) : utf8proc_totitle(c);
  }

  bool is_final(size_t begin, size_t end) const {
    return cased_letter_before(text_.bytes, begin) && !cased_letter_after(text_.bytes, end);
  }

  const Text& text_;
  TextBuilder out_;
  std::string mapped_;
};

// Maps every character to the case that `choose` names.
template <typename Choose>
TextPtr map_case(const Text& text, Budget& budget, Choose choose) {
  CaseMapper mapper(text, budget);
  for (size_t position = 0; position < text.bytes.size();) {
    const CodePoint c = code_point_at(text.bytes, position);
    mapper.map(position, c, choose(c.value));
    position = c.end;
  }
  return mapper.finish();
}

}  // namespace

TextPtr upper_case(const Text& text, Budget& budget) {
  return map_case(text, budget, [](int32_t) { return Case::upper; });
}

TextPtr lower_case(const Text& text, Budget& budget) {
  return map_case(text, budget, [](int32_t) { return Case::lower; });
}

TextPtr capitalized(const Text& text, Budget& budget) {
  return map_case(text, budget, [first = true](int32_t) mutable {
    return std::exchange(first, false) ? Case::title : Case::lower;
  });
}

TextPtr title_case(const Text& text, Budget& budget) {
  return map_case(text, budget, [after_letter = false](int32_t c) mutable {
    return std::exchange(after_letter, is_cased(c)) ? Case::lower : Case::title;
  });
}

TextPtr title_words(const Text& text, Budget& budget) {
  const TextPtr titled = map_case(text, budget, [in_word = false](int32_t c) mutable {
    const bool separates = is_space(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
    return std::exchange(in_word, !separates) ? Case::lower : Case::upper;
  });
  return slice_bytes(*titled, 0, titled->bytes.size());
}

}  // namespace cuset::text::jinja
