// Which `>` close a launch configuration.
//
// After `<<<` the configuration's expressions follow, in which `>` may also close templates
// (`f<A<B<int>>>()`), shift (`n >> 1`) or compare. Only runs of adjacent `>` outside of all parentheses,
// brackets and braces count. Going through them with `angles`, the number of `name<` not closed yet:
//   - a run of at least angles + 3 closes the templates first and then the launch;
//   - a run of 3 or more that is the last of the configuration closes the launch with its last three if
//     angles < 3, because then the `<` before it were comparisons;
//   - any other run closes templates or shifts.
// The configuration ends unclosed at a `;`, at a closing bracket that was not opened in it, at the next
// `<<<`, at the end of its preprocessor line, and at the end of the text. Each launch looks only as far as
// the next, so the whole is linear.
#include <algorithm>

#include "cuda_source/lexer.h"

namespace cuset::cuda_source {
namespace {

bool opens(const Token& token) { return token.is('(') || token.is('[') || token.is('{'); }
bool closes(const Token& token) { return token.is(')') || token.is(']') || token.is('}'); }

struct Run {
  size_t first = 0;   // index of its first `>` token
  size_t length = 0;  // number of adjacent `>`
  size_t angles = 0;  // templates opened since the run before
};

bool adjacent_greater(const std::vector<Token>& tokens, size_t i) {
  return i + 1 < tokens.size() && tokens[i + 1].is('>') && tokens[i + 1].begin == tokens[i].end;
}

// The runs of `>` of the configuration opened by tokens[open].
void collect_runs(const std::vector<Token>& tokens, size_t open, std::vector<Run>& runs) {
  runs.clear();
  const bool directive = tokens[open].has(kInDirective);
  size_t depth = 0;
  size_t angles = 0;
  for (size_t i = open + 1; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.has(kInDirective) != directive || token.kind == TokenKind::kHash) {
      if (directive) return;
      continue;
    }
    if (token.kind == TokenKind::kLaunchOpen) return;
    if (opens(token)) {
      ++depth;
    } else if (closes(token)) {
      if (depth-- == 0) return;
    } else if (depth > 0) {
      continue;
    } else if (token.is(';')) {
      return;
    } else if (token.is('<') && tokens[i - 1].is_identifier()) {
      ++angles;
    } else if (token.is('>')) {
      Run run{i, 1, angles};
      while (adjacent_greater(tokens, i)) ++i, ++run.length;
      angles = 0;
      runs.push_back(run);
    }
  }
}

// The index of the first of the three `>` that close the launch, or 0 if it is not closed.
size_t closing_run(const std::vector<Run>& runs) {
  size_t last_long = runs.size();
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].length >= 3) last_long = i;
  }
  size_t angles = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    angles += runs[i].angles;
    if (runs[i].length >= angles + 3) return runs[i].first + angles;
    if (i == last_long && angles < 3) return runs[i].first + runs[i].length - 3;
    angles -= std::min(angles, runs[i].length);
  }
  return 0;
}

}  // namespace

void join_launch_closers(std::vector<Token>& tokens) {
  std::vector<size_t> closers;
  std::vector<Run> runs;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::kLaunchOpen) continue;
    collect_runs(tokens, i, runs);
    if (const size_t first = closing_run(runs)) closers.push_back(first);
  }
  if (closers.empty()) return;

  size_t out = closers.front();
  size_t next = 0;
  for (size_t in = out; in < tokens.size(); ++in) {
    Token token = tokens[in];
    if (next < closers.size() && in == closers[next]) {
      token.end = tokens[in + 2].end;
      token.kind = TokenKind::kLaunchClose;
      token.punctuation = 0;
      in += 2;
      ++next;
    }
    tokens[out++] = token;
  }
  tokens.resize(out);
}

}  // namespace cuset::cuda_source
