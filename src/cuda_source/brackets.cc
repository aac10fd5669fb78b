// Bracket matching that survives conditional code and wrong code.
//
// The stack of open brackets is a tree: each node knows its parent, and the state is one node. Going back to
// the state at an `#if` is then one assignment. At `#endif` the open brackets of the branches are joined, as
// sets, to those of the first branch at the same depth, and finish() gives all of a set the same end. Each
// node remembers its nearest `(`, `[` (not beyond a brace) and `{`, so that a stray closing bracket costs
// nothing, and popping stops at brackets already closed: the whole is O(n log n).
#include <algorithm>

#include "cuda_source/code.h"

namespace cuset::cuda_source {
namespace {

constexpr uint32_t kNone = Code::kNone;

struct Node {
  uint32_t open = kNone;  // token
  uint32_t parent = 0;
  uint32_t depth = 0;
  uint32_t brace = 0;    // nearest node of that bracket at or above this one; 0 is none
  uint32_t paren = 0;    // not beyond a brace
  uint32_t square = 0;   // not beyond a brace
  uint32_t joined = 0;   // a node of another branch that closes together with this one; 0 is none
  bool dropped = false;  // closed by an outer bracket
};

struct Group {
  uint32_t at_if = 0;
  std::vector<uint32_t> ends;  // states at the end of the finished branches
};

class BracketStack {
 public:
  BracketStack(const std::vector<Token>& tokens, std::vector<uint32_t>& match)
      : tokens_(tokens), match_(match) {
    nodes_.emplace_back();
  }

  uint32_t innermost_brace() const { return nodes_[nodes_[state_].brace].open; }

  void event(ConditionalEvent::Kind kind) {
    if (kind == ConditionalEvent::kIf) {
      groups_.push_back({state_, {}});
    } else if (!groups_.empty()) {
      groups_.back().ends.push_back(state_);
      if (kind == ConditionalEvent::kBranch) {
        state_ = groups_.back().at_if;
      } else {
        join(groups_.back().ends);
        groups_.pop_back();
      }
    }
  }

  void open(uint32_t token) {
    const Node& top = nodes_[state_];
    const auto self = static_cast<uint32_t>(nodes_.size());
    Node node{token, state_, top.depth + 1, top.brace, top.paren, top.square, 0, false};
    if (tokens_[token].is('{')) {
      node.brace = self;
      node.paren = node.square = 0;
    } else {
      (tokens_[token].is('(') ? node.paren : node.square) = self;
    }
    nodes_.push_back(node);
    state_ = self;
  }

  void close(uint32_t token) {
    const Node& top = nodes_[state_];
    const Token& closer = tokens_[token];
    const uint32_t target = closer.is('}') ? top.brace : closer.is(')') ? top.paren : top.square;
    if (target == 0) return;
    drop_until(target, token);
    match_[token] = nodes_[target].open;
    // Closed in several branches: a body ends at the last of them, a parameter list at the first.
    uint32_t& end = match_[nodes_[target].open];
    if (closer.is('}') || end == tokens_.size() || nodes_[target].dropped) end = token;
    state_ = nodes_[target].parent;
  }

  // Brackets that were joined take the end of their set, or the later of the two ends.
  void finish() {
    const auto unclosed = static_cast<uint32_t>(tokens_.size());
    for (uint32_t i = 1; i < nodes_.size(); ++i) {
      if (nodes_[i].joined == 0) continue;
      uint32_t& own = match_[nodes_[i].open];
      const uint32_t set = match_[nodes_[root(i)].open];
      if (set < nodes_[i].open) continue;  // its set was closed in an earlier branch
      if (own == unclosed) own = set;
      if (set != unclosed) own = std::max(own, set);
    }
  }

 private:
  // Brackets above `target` are closed by what closes it.
  void drop_until(uint32_t target, uint32_t token) {
    for (uint32_t node = state_; node != target && !nodes_[node].dropped; node = nodes_[node].parent) {
      nodes_[node].dropped = true;
      match_[nodes_[node].open] = token;
    }
  }

  void join(const std::vector<uint32_t>& ends) {
    state_ = ends.front();
    for (size_t i = 1; i < ends.size(); ++i) {
      uint32_t first = ends.front();
      uint32_t other = ends[i];
      if (nodes_[first].depth != nodes_[other].depth) continue;
      for (; first != other; first = nodes_[first].parent, other = nodes_[other].parent) {
        const uint32_t a = root(first);
        const uint32_t b = root(other);
        if (a != b) nodes_[b].joined = a;
      }
    }
  }

  uint32_t root(uint32_t node) {
    while (nodes_[node].joined != 0) {
      const uint32_t next = nodes_[node].joined;
      if (nodes_[next].joined != 0) nodes_[node].joined = nodes_[next].joined;
      node = next;
    }
    return node;
  }

  const std::vector<Token>& tokens_;
  std::vector<uint32_t>& match_;
  std::vector<Node> nodes_;  // node 0 is the empty stack
  std::vector<Group> groups_;
  uint32_t state_ = 0;
};

}  // namespace

void match_brackets(const std::vector<Token>& tokens, const std::vector<ConditionalEvent>& events,
                    std::vector<uint32_t>& match, std::vector<uint32_t>& brace) {
  const auto size = static_cast<uint32_t>(tokens.size());
  match.assign(size, kNone);
  brace.assign(size, kNone);
  BracketStack stack(tokens, match);
  size_t event = 0;
  for (uint32_t i = 0; i < size; ++i) {
    for (; event < events.size() && events[event].position == i; ++event) stack.event(events[event].kind);
    const Token& token = tokens[i];
    if (token.is('}') || token.is(')') || token.is(']')) stack.close(i);
    brace[i] = stack.innermost_brace();
    if (token.is('{') || token.is('(') || token.is('[')) {
      match[i] = size;
      stack.open(i);
    }
  }
  stack.finish();
}

}  // namespace cuset::cuda_source
