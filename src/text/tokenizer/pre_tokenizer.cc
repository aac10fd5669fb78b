#include "text/tokenizer/pre_tokenizer.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "text/tokenizer/split_pattern.h"
#include "text/unicode/regex.h"

namespace cuset::text {
namespace {

constexpr std::string_view kGpt2Pattern =
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kPunctuationPattern = "[!-/:-@\\x5b-`\\x7b-~\\p{P}]";

enum class Behavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

// A stretch of text between or inside matches.
struct Part {
  uint32_t begin, end;
  bool matched;
};

// Joins neighbors: a match with the part before it, unless that one ends with a match too.
void merge_with_previous(std::vector<Part>& parts) {
  size_t count = 0;
  bool previous = false;
  for (const Part part : parts) {
    if (part.matched && !previous && count > 0) {
      parts[count - 1].end = part.end;
    } else {
      parts[count++] = part;
    }
    previous = part.matched;
  }
  parts.resize(count);
}

void merge_with_next(std::vector<Part>& parts) {
  size_t first = parts.size();
  bool following = false;
  for (size_t i = parts.size(); i-- > 0;) {
    const Part part = parts[i];
    if (part.matched && !following && first < parts.size()) {
      parts[first].begin = part.begin;
    } else {
      parts[--first] = part;
    }
    following = part.matched;
  }
  parts.erase(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(first));
}

// Joins neighbors of the same kind.
void merge_contiguous(std::vector<Part>& parts) {
  size_t count = 0;
  for (const Part part : parts) {
    if (count > 0 && parts[count - 1].matched == part.matched) {
      parts[count - 1].end = part.end;
    } else {
      parts[count++] = part;
    }
  }
  parts.resize(count);
}

class Split : public PreTokenizer {
 public:
  Split(Regex pattern, Behavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}

  void split(PieceList& list) const override {
    list.next.clear();
    if (behavior_ == Behavior::Isolated) {
      for (const Piece& piece : list.pieces) isolate(piece, list.next);
    } else {
      std::vector<Part> parts;
      for (const Piece& piece : list.pieces) cut(piece, parts, list.next);
    }
    std::swap(list.pieces, list.next);
  }

 private:
  static void put(std::vector<Piece>& out, const Piece& whole, size_t begin, size_t end) {
    if (begin == end) return;
    out.push_back(
        {whole.text, static_cast<uint32_t>(whole.begin + begin), static_cast<uint32_t>(whole.begin + end)});
  }

  // The common behavior, straight to the list: matches and what lies between them.
  void isolate(const Piece& piece, std::vector<Piece>& out) const {
    const std::string_view text = piece.view();
    size_t done = 0;
    pattern_.for_each(text, [&](size_t begin, size_t end) {
      put(out, piece, done, begin);
      put(out, piece, begin, end);
      done = end;
    });
    put(out, piece, done, text.size());
  }

  void find_parts(std::string_view text, std::vector<Part>& parts) const {
    parts.clear();
    uint32_t done = 0;
    const auto add = [&](uint32_t begin, uint32_t end, bool matched) {
      parts.push_back({begin, end, matched != invert_});
    };
    pattern_.for_each(text, [&](size_t begin, size_t end) {
      if (done != begin) add(done, static_cast<uint32_t>(begin), false);
      done = static_cast<uint32_t>(end);
      add(static_cast<uint32_t>(begin), done, true);
    });
    if (done != text.size()) add(done, static_cast<uint32_t>(text.size()), false);
  }

  void cut(const Piece& piece, std::vector<Part>& parts, std::vector<Piece>& out) const {
    find_parts(piece.view(), parts);
    if (behavior_ == Behavior::MergedWithPrevious) merge_with_previous(parts);
    if (behavior_ == Behavior::MergedWithNext) merge_with_next(parts);
    if (behavior_ == Behavior::Contiguous) merge_contiguous(parts);
    for (const Part& part : parts) {
      if (behavior_ != Behavior::Removed || !part.matched) put(out, piece, part.begin, part.end);
    }
  }

  Regex pattern_;
  Behavior behavior_;
  bool invert_;
};

// Gives every piece that does not begin with a space one in front.
class PrefixSpace : public PreTokenizer {
 public:
  void split(PieceList& list) const override {
    for (Piece& piece : list.pieces) {
      if (piece.view().substr(0, 1) == " ") continue;
      AlignedText& text = list.texts.emplace_back(piece.text->slice(piece.begin, piece.end));
      text.prepend(" ");
      piece = {&text, 0, static_cast<uint32_t>(text.view().size())};
    }
  }
};

Behavior read_behavior(const base::JsonCursor& value) {
  constexpr std::pair<std::string_view, Behavior> kNames[] = {
      {"Removed", Behavior::Removed},
      {"Isolated", Behavior::Isolated},
      {"MergedWithPrevious", Behavior::MergedWithPrevious},
      {"MergedWithNext", Behavior::MergedWithNext},
      {"Contiguous", Behavior::Contiguous},
  };
  const std::string name = value.string();
  for (const auto& [known, behavior] : kNames) {
    if (name == known) return behavior;
  }
  value.refuse(fmt::format("is {}, which is not supported", base::in_quotes(name)));
}

class Reader {
 public:
  void read(const base::JsonCursor& section) {
    if (section.is_absent()) return;
    const std::string type = section.at("type").string();
    if (result.byte_level)
      section.refuse(fmt::format("is {} after ByteLevel, which is not supported", base::in_quotes(type)));
    if (type == "Sequence") return read_sequence(section);
    if (type == "Split") return read_split(section);
    if (type == "ByteLevel") return read_byte_level(section);
    if (type == "Digits") return read_digits(section);
    if (type == "Punctuation") return read_punctuation(section);
    if (type == "Whitespace" || type == "WhitespaceSplit") {
      section.expect_only({"type"});
      const bool split = type == "WhitespaceSplit";
      const std::string words = fmt::format("[{0}]+|[^\\s{0}]+", kWordMembers);
      return add_split(Regex(split ? "\\s" : words, std::string(section.source())), Behavior::Removed,
                       !split);
    }
    section.at("type").refuse(fmt::format("is {}, which is not supported", base::in_quotes(type)));
  }

  PreTokenizers result;

 private:
  void add_split(Regex pattern, Behavior behavior, bool invert = false) {
    result.stages.push_back(std::make_unique<Split>(std::move(pattern), behavior, invert));
  }

  void read_sequence(const base::JsonCursor& section) {
    section.expect_only({"type", "pretokenizers"});
    for (const base::JsonCursor& stage : section.at("pretokenizers").elements()) read(stage);
  }

  void read_split(const base::JsonCursor& section) {
    section.expect_only({"type", "pattern", "behavior", "invert"});
    add_split(read_pattern(section.at("pattern")), read_behavior(section.at("behavior")),
              section.at("invert").boolean());
  }

  void read_digits(const base::JsonCursor& section) {
    section.expect_only({"type", "individual_digits"});
    const bool individual = section.at("individual_digits").boolean();
    add_split(Regex("\\p{N}", std::string(section.source())),
              individual ? Behavior::Isolated : Behavior::Contiguous);
  }

  void read_punctuation(const base::JsonCursor& section) {
    section.expect_only({"type", "behavior"});
    const base::JsonCursor behavior = section.get("behavior");
    add_split(Regex(kPunctuationPattern, std::string(section.source())),
              behavior.is_absent() ? Behavior::Isolated : read_behavior(behavior));
  }

  void read_byte_level(const base::JsonCursor& section) {
    section.expect_only({"type", "add_prefix_space", "trim_offsets", "use_regex"});
    if (section.at("add_prefix_space").boolean()) result.stages.push_back(std::make_unique<PrefixSpace>());
    if (section.get("use_regex").boolean_or(true)) {
      add_split(Regex(kGpt2Pattern, std::string(section.source())), Behavior::Isolated);
    }
    result.byte_level = true;
  }
};

}  // namespace

PreTokenizers read_pre_tokenizers(const base::JsonCursor& section) {
  Reader reader;
  reader.read(section);
  return std::move(reader.result);
}

}  // namespace cuset::text
