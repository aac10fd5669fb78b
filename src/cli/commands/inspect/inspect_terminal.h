// Samples and source files on a terminal.
//
// With color, a piece's role is its color: prompt faint, response plain, regions in a color each, control
// tokens reversed. Without color nothing is lost: the margin names the roles of a line by their letters.
// What the first letter names stands plainly; the rest is in brackets, .L | sum⟦L <<<grid, block>>>⟧(x);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/example.h"
#include "study/inspect/pieces.h"

namespace cuset::cli {

struct TerminalOptions {
  bool color = false;
  bool token_borders = false;  // "│" between tokens, "⏎" where a token holds a newline
  bool line_numbers = false;
  size_t most_lines = 0;  // 0: all; else the rest is counted in a last line
  size_t begin = 0;       // pieces before this byte are left out
};

// "data.jsonl:7  512 tokens, 300 learned, 210 CUDA (70.0 % of learned)", and what else is unusual about it.
std::string header_of(const data::Example& example);

// The text of the pieces, a margin, and a newline at the end.
std::string render_pieces(std::string_view text, const std::vector<study::ShownPiece>& pieces,
                          const TerminalOptions& options);

// One line that explains the colors or letters of the roles that occur.
std::string render_legend(const std::vector<study::ShownPiece>& pieces, const TerminalOptions& options);

}  // namespace cuset::cli
