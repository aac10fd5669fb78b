// The "pre_tokenizer" section of a tokenizer file: how text is cut into the words that BPE works on.
//
// Read: Sequence, Split (String or Regex, five behaviors, invert), Digits, Punctuation, Whitespace,
// WhitespaceSplit, ByteLevel. Each stage cuts the pieces of the stage before, seeing one piece at a time.
// ByteLevel writes text in the byte alphabet, so it must come last; here that writing is left to the model,
// which works on bytes. Others are refused by name.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/json/json_cursor.h"
#include "text/unicode/aligned_text.h"

namespace cuset::text {

// The bytes [begin, end) of text->view().
struct Piece {
  const AlignedText* text;
  uint32_t begin;
  uint32_t end;

  std::string_view view() const { return text->view().substr(begin, end - begin); }
};

// Pieces in order, and the texts that stages had to make anew. Addresses in `texts` stay valid.
struct PieceList {
  std::vector<Piece> pieces;
  std::vector<Piece> next;  // room for the stage at work
  std::deque<AlignedText> texts;
};

// One stage. Immutable; safe to use from many threads.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Replaces list.pieces by finer ones.
  virtual void split(PieceList& list) const = 0;
};

struct PreTokenizers {
  std::vector<std::unique_ptr<PreTokenizer>> stages;
  bool byte_level = false;  // words reach the model as bytes

  void split(PieceList& list) const {
    for (const auto& stage : stages) stage->split(list);
  }
};

PreTokenizers read_pre_tokenizers(const base::JsonCursor& section);

}  // namespace cuset::text
