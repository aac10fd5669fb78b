#include "text/tokenizer/normalizer.h"

#include <utf8proc.h>

#include <vector>

#include "base/error.h"
#include "text/tokenizer/split_pattern.h"
#include "text/unicode/unicode_additions.h"
#include "text/unicode/unicode_form.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

class UnicodeNormalizer : public Normalizer {
 public:
  explicit UnicodeNormalizer(UnicodeForm form) : form_(form) {}
  void apply(AlignedText& text) const override { normalize_unicode(text, form_); }

 private:
  UnicodeForm form_;
};

char32_t to_lower(char32_t code) {
  for (const CaseRange& range : kCaseAdditions) {
    if (range.first <= code && code <= range.last) return range.lower + (code - range.first);
  }
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

class Lowercase : public Normalizer {
 public:
  void apply(AlignedText& text) const override {
    const std::string_view old = text.view();
    std::vector<AlignedText::Change> changes;
    for (size_t i = 0; i < old.size();) {
      const Utf8Char c = decode_utf8(old, i);
      i += c.size;
      if (c.code == U'\u0130') {  // the only character whose lower case is two: "i" and a dot above
        changes.push_back({U'i', 0});
        changes.push_back({U'\u0307', 1});
      } else {
        changes.push_back({to_lower(c.code), 0});
      }
    }
    text.transform(changes);
  }
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}

  void apply(AlignedText& text) const override {
    const std::string_view old = text.view();
    size_t begin = 0;
    size_t end = old.size();
    while (left_ && begin < end) {
      const Utf8Char c = decode_utf8(old, begin);
      if (!is_white_space(c.code)) break;
      begin += c.size;
    }
    while (right_ && begin < end) {
      size_t last = end - 1;
      while (continues_utf8(old[last])) --last;
      if (!is_white_space(decode_utf8(old, last).code)) break;
      end = last;
    }
    text = text.slice(begin, end);
  }

 private:
  bool left_, right_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : prefix_(std::move(prefix)) {}
  void apply(AlignedText& text) const override { text.prepend(prefix_); }

 private:
  std::string prefix_;
};

// New content shares the place of the last character it replaces.
class Replace : public Normalizer {
 public:
  Replace(Regex pattern, std::string content) : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void apply(AlignedText& text) const override {
    const std::string_view old = text.view();
    std::string fresh;
    std::vector<TokenSpan> places;
    size_t done = 0;
    const auto copy_up_to = [&](size_t end) {
      fresh.append(old.substr(done, end - done));
      for (; done < end; ++done) places.push_back(text.source(done, done + 1));
    };
    pattern_.for_each(old, [&](size_t begin, size_t end) {
      copy_up_to(begin);
      fresh += content_;
      places.resize(fresh.size(), end > 0 ? text.source(end - 1, end) : TokenSpan{});
      done = end;
    });
    if (done == 0 && fresh.empty()) return;
    copy_up_to(old.size());
    text.assign(std::move(fresh), std::move(places));
  }

 private:
  Regex pattern_;
  std::string content_;
};

class NormalizerSequence : public Normalizer {
 public:
  explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> steps) : steps_(std::move(steps)) {}
  void apply(AlignedText& text) const override {
    for (const auto& step : steps_) step->apply(text);
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> steps_;
};

std::unique_ptr<Normalizer> read_sequence(const base::JsonCursor& section) {
  section.expect_only({"type", "normalizers"});
  std::vector<std::unique_ptr<Normalizer>> steps;
  for (const base::JsonCursor& part : section.at("normalizers").elements()) {
    if (auto step = read_normalizer(part)) steps.push_back(std::move(step));
  }
  if (steps.empty()) return nullptr;
  return std::make_unique<NormalizerSequence>(std::move(steps));
}

std::unique_ptr<Normalizer> read_unicode(const base::JsonCursor& section, UnicodeForm form) {
  section.expect_only({"type"});
  return std::make_unique<UnicodeNormalizer>(form);
}

}  // namespace

std::unique_ptr<Normalizer> read_normalizer(const base::JsonCursor& section) {
  if (section.is_absent()) return nullptr;
  const std::string type = section.at("type").string();
  if (type == "Sequence") return read_sequence(section);
  if (type == "NFC") return read_unicode(section, UnicodeForm::Nfc);
  if (type == "NFD") return read_unicode(section, UnicodeForm::Nfd);
  if (type == "NFKC") return read_unicode(section, UnicodeForm::Nfkc);
  if (type == "NFKD") return read_unicode(section, UnicodeForm::Nfkd);
  if (type == "Lowercase") {
    section.expect_only({"type"});
    return std::make_unique<Lowercase>();
  }
  if (type == "Strip") {
    section.expect_only({"type", "strip_left", "strip_right"});
    return std::make_unique<Strip>(section.at("strip_left").boolean(), section.at("strip_right").boolean());
  }
  if (type == "Prepend") {
    section.expect_only({"type", "prepend"});
    return std::make_unique<Prepend>(section.at("prepend").string());
  }
  if (type == "Replace") {
    section.expect_only({"type", "pattern", "content"});
    return std::make_unique<Replace>(read_pattern(section.at("pattern")), section.at("content").string());
  }
  section.at("type").refuse(fmt::format("is {}, which is not supported", base::in_quotes(type)));
}

}  // namespace cuset::text
