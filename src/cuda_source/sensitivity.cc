#include "cuda_source/sensitivity.h"

#include <algorithm>
#include <unordered_map>

#include "cuda_source/call_kinds.h"

namespace cuset::cuda_source {
namespace {

// How far a cast or dereferenced group is searched for the pointer in it; bounds the work on nested groups.
constexpr size_t kPointerSearch = 32;

class BodyReader {
 public:
  BodyReader(const Code& code, const Function& function, std::vector<Region>& regions)
      : code_(code), function_(function), regions_(regions) {}

  void run() {
    if (function_.body == Code::kNone) return;
    read_parameters();
    for (size_t i = function_.body + 1; i < function_.end;) i = std::max(read(i), i + 1);
  }

 private:
  // ---- variables ----

  void read_parameters() {
    const size_t last = std::min<size_t>(code_.match(function_.parameters), code_.size());
    size_t first = function_.parameters + 1;
    size_t angles = 0;
    for (size_t i = first; i <= last && i < code_.size(); ++i) {
      const Token& token = code_[i];
      if (token.is('<')) ++angles;
      if (token.is('>') && angles > 0) --angles;
      if (i == last || (token.is(',') && angles == 0)) {
        read_parameter(first, i);
        first = i + 1;
      } else if (token.is('(') || token.is('[') || token.is('{')) {
        i = std::min<size_t>(code_.match(i), last) - (code_.match(i) >= last ? 1 : 0);
      }
    }
  }

  void read_parameter(size_t first, size_t last) {
    bool pointer = false;
    size_t name = last;
    for (size_t i = first; i < last && !code_[i].is('='); ++i) {
      const Token& token = code_[i];
      if (token.is('(')) return;  // a pointer to a function, or a reference to an array
      pointer |= token.is('*') || token.is('[');
      pointer |= token.is_identifier() && code_.raw(i).find("TensorAccessor") != std::string_view::npos;
      if (token.is('[')) break;
      if (token.is_identifier() && token.is(Keyword::kNone)) name = i;
    }
    if (pointer && name < last) variables_[code_.raw(name)] = RegionKind::kGlobalMemory;
  }

  const RegionKind* kind_of_variable(size_t i) const {
    if (i >= function_.end || !code_[i].is_identifier() || !code_[i].is(Keyword::kNone)) return nullptr;
    if (code_[i - 1].is('.') || code_[i - 1].is(kArrow) || code_[i - 1].is(kScope)) return nullptr;
    const auto found = variables_.find(code_.raw(i));
    return found == variables_.end() ? nullptr : &found->second;
  }

  // The first variable of a kind within a few tokens from `first`.
  size_t find_pointer(size_t first, size_t last) const {
    last = std::min({last, first + kPointerSearch, static_cast<size_t>(function_.end)});
    for (size_t i = first; i < last; ++i) {
      if (kind_of_variable(i) != nullptr) return i;
    }
    return code_.size();
  }

  // `T* p = x + i` and `auto p = reinterpret_cast<T*>(x)` give p the kind of x. At the name being declared.
  void read_pointer_declaration(size_t i) {
    if (i + 1 >= function_.end || !code_[i + 1].is('=')) return;
    size_t before = i - 1;
    while (before > function_.body && code_[before].is(Keyword::kSpecifier)) --before;
    const bool declared =
        code_[before].is('*') && before > 0 &&
        (code_[before - 1].is_identifier() || code_[before - 1].is('>') || code_[before - 1].is('*'));
    const bool deduced =
        code_[before].is(Keyword::kAuto) && i + 2 < function_.end && code_[i + 2].is(Keyword::kCast);
    if (!declared && !deduced) return;
    size_t last = i + 2;
    while (last < function_.end && last < i + 2 + kPointerSearch && !code_[last].is(';')) ++last;
    const size_t pointer = find_pointer(i + 2, last);
    if (pointer < code_.size()) variables_[code_.raw(i)] = variables_[code_.raw(pointer)];
  }

  // ---- spans ----

  void add(RegionKind kind, size_t first, size_t end_offset, std::string_view name) {
    regions_.push_back({code_[first].begin, end_offset, kind, std::string(name)});
  }

  // The offset after the subscripts and members that follow token `last`; `last` moves to their last token.
  size_t postfix_end(size_t& last) const {
    while (last + 1 < function_.end) {
      const Token& next = code_[last + 1];
      if (next.is('[')) {
        if (code_.match(last + 1) >= function_.end) return code_.group_end_offset(last + 1);
        last = code_.match(last + 1);
      } else if ((next.is('.') || next.is(kArrow)) && last + 2 < function_.end &&
                 code_[last + 2].is_identifier()) {
        last += 2;
      } else {
        break;
      }
    }
    return code_[last].end;
  }

  // The offset after the call of the function named by token i, with its template arguments.
  size_t call_end(size_t i) const {
    size_t open = i + 1;
    if (open < function_.end && code_[open].is('<')) {
      const auto angles = match_angles(code_, i, std::min<size_t>(i + kPointerSearch, function_.end));
      if (!angles.empty()) open = angles.front().second + 1;
    }
    return open < function_.end && code_[open].is('(') ? code_.group_end_offset(open) : code_[i].end;
  }

  // The first token of the qualified name or member access that ends in token i: `cg::this_grid().sync` from
  // `cg`.
  size_t receiver_start(size_t i) const {
    size_t start = i;
    for (int hops = 0; hops < 16 && start > function_.body + 2; ++hops) {
      const Token& joint = code_[start - 1];
      if (!joint.is('.') && !joint.is(kArrow) && !joint.is(kScope)) break;
      size_t before = start - 2;
      if ((code_[before].is(')') || code_[before].is(']')) && code_.match(before) != Code::kNone) {
        before = code_.match(before);
        if (before <= function_.body + 1) break;
        if (code_[before - 1].is_identifier()) --before;
      } else if (!code_[before].is_identifier()) {
        break;
      }
      start = before;
    }
    return start;
  }

  // ---- reading; each returns the index to continue at ----

  size_t read(size_t i) {
    const Token& token = code_[i];
    if (token.is(Keyword::kThreadIndex)) return read_index(i);
    if (token.is(Keyword::kShared)) return read_shared(i);
    if (token.is(Keyword::kAsm)) return read_assembly(i);
    if (token.is(Keyword::kCast)) return read_cast(i, i);
    if (token.is('*')) return read_star(i);
    if (token.is('(')) return read_group(i);
    if (token.is_identifier() && token.is(Keyword::kNone)) return read_name(i);
    return i + 1;
  }

  size_t read_index(size_t i) {
    size_t last = i;
    if (i + 2 < function_.end && code_[i + 1].is('.') && code_[i + 2].is_identifier()) last = i + 2;
    add_index(i, last, code_[last].end);
    return last + 1;
  }

  // Joins an index to the one before if a single operator stands between.
  void add_index(size_t first, size_t last, size_t end_offset) {
    const bool operator_between =
        first >= 1 && index_last_ + 2 == first &&
        (code_[first - 1].is('*') || code_[first - 1].is('+') || code_[first - 1].is('-') ||
         code_[first - 1].is('/') || code_[first - 1].is('%'));
    if (index_region_ < regions_.size() && operator_between) {
      regions_[index_region_].end = end_offset;
    } else {
      index_region_ = regions_.size();
      add(RegionKind::kThreadIndexing, first, end_offset, code_.raw(first));
    }
    index_last_ = last;
  }

  size_t read_shared(size_t i) {
    size_t first = i;
    while (first > function_.body + 1 &&
           (code_[first - 1].is(Keyword::kExtern) || code_[first - 1].is(Keyword::kSpecifier))) {
      --first;
    }
    std::string_view name;
    size_t last = i + 1;
    for (; last < function_.end && !code_[last].is(';') && !code_[last].is('}'); ++last) {
      const Token& token = code_[last];
      const bool ends = last + 1 >= function_.end || code_[last + 1].is('[') || code_[last + 1].is(';') ||
                        code_[last + 1].is(',') || code_[last + 1].is('=') || code_[last + 1].is('{');
      if (token.is_identifier() && token.is(Keyword::kNone) && ends) {
        if (name.empty()) name = code_.raw(last);
        variables_[code_.raw(last)] = RegionKind::kSharedMemory;
      }
      const bool group = token.is('(') || token.is('[') || token.is('{');
      if (group)
        last = std::min<size_t>(code_.match(last) - (code_.is_closed(last) ? 0 : 1), function_.end - 1);
    }
    const size_t end = last < function_.end ? (code_[last].is(';') ? code_[last].end : code_[last - 1].end)
                                            : function_.body_bytes.end;
    add(RegionKind::kSharedMemory, first, end, name);
    return last;
  }

  size_t read_assembly(size_t i) {
    size_t open = i + 1;
    while (open < function_.end && open < i + 4 && !code_[open].is('(')) ++open;
    if (open >= function_.end || !code_[open].is('(')) return i + 1;
    const size_t last = std::min<size_t>(code_.match(open), function_.end);
    std::vector<RegionKind> kinds;
    for (size_t j = open + 1; j < last && !code_[j].is(':') && !code_[j].is(kScope); ++j) {
      const bool string = code_[j].kind == TokenKind::kString || code_[j].kind == TokenKind::kRawString;
      if (string) assembly_kinds(code_.raw(j), kinds);
      if (code_[j].is('(')) j = std::min<size_t>(code_.match(j), last);
    }
    for (const RegionKind kind : kinds) add(kind, i, code_.group_end_offset(open), "asm");
    return open + 1;
  }

  // `*` that is not a product: dereferences of pointers, casts and parenthesised pointers.
  size_t read_star(size_t star) {
    const Token& before = code_[star - 1];
    const bool operand_before = before.is(')') || before.is(']') || before.is('>') ||
                                (before.is_identifier() && !before.is(Keyword::kStatement)) ||
                                before.kind == TokenKind::kNumber;
    const size_t i = star + 1;
    if (operand_before || i >= function_.end) return i;
    if (code_[i].is(Keyword::kCast)) return read_cast(i, star);
    if (code_[i].is('(')) return read_starred_group(star);
    if (const RegionKind* kind = kind_of_variable(i); kind && *kind == RegionKind::kGlobalMemory) {
      size_t last = i;
      add(*kind, star, postfix_end(last), code_.raw(i));
      return i + 1;
    }
    return i;
  }

  // *(p + i), or *(T*)(p + i) and *(T*)&p[i]: after a cast the operand is what counts.
  size_t read_starred_group(size_t star) {
    const size_t open = star + 1;
    const size_t close = code_.match(open);
    size_t operand = open;
    if (close + 1 < function_.end && code_[close - 1].is('*')) operand = close + 1;
    if (operand > open && code_[operand].is('&')) ++operand;
    const bool group = operand < function_.end && code_[operand].is('(');
    const size_t pointer =
        group ? find_pointer(operand + 1, code_.match(operand)) : find_pointer(operand, operand + 1);
    if (pointer < code_.size()) {
      size_t last = operand;
      const size_t end = group ? code_.group_end_offset(operand) : postfix_end(last);
      add(variables_[code_.raw(pointer)], star, end, code_.raw(pointer));
    }
    return open + 1;
  }

  // reinterpret_cast<T*>(p)[i], or with a `*` before it.
  size_t read_cast(size_t cast, size_t first) {
    const auto angles = match_angles(code_, cast, std::min<size_t>(cast + kPointerSearch, function_.end));
    if (angles.empty()) return cast + 1;
    const size_t open = angles.front().second + 1;
    if (open >= function_.end || !code_[open].is('(') || code_.match(open) >= function_.end) return cast + 1;
    const size_t pointer = find_pointer(open + 1, code_.match(open));
    size_t last = code_.match(open);
    const bool followed = last + 1 < function_.end && (code_[last + 1].is('[') || code_[last + 1].is(kArrow));
    const bool accessed = first != cast || followed;
    if (pointer < code_.size() && accessed) {
      add(variables_[code_.raw(pointer)], first, postfix_end(last), code_.raw(pointer));
    }
    return open + 1;
  }

  // ((float4*)p)[i]
  size_t read_group(size_t open) {
    const bool called = code_[open - 1].is_identifier() || code_[open - 1].is(')') ||
                        code_[open - 1].is(']') || code_[open - 1].is('>') || code_[open - 1].is('*');
    size_t last = code_.match(open);
    if (called || last + 1 >= function_.end) return open + 1;
    if (!code_[last + 1].is('[') && !code_[last + 1].is(kArrow)) return open + 1;
    const size_t pointer = find_pointer(open + 1, last);
    if (pointer < code_.size()) {
      add(variables_[code_.raw(pointer)], open, postfix_end(last), code_.raw(pointer));
    }
    return open + 1;
  }

  size_t read_name(size_t i) {
    const bool member = code_[i - 1].is('.') || code_[i - 1].is(kArrow);
    const bool calls = i + 1 < function_.end && (code_[i + 1].is('(') || code_[i + 1].is('<'));
    if (calls) {
      if (const auto kind = call_kind(code_.raw(i), member)) return read_call(i, *kind);
    }
    if (const RegionKind* kind = kind_of_variable(i)) {
      size_t last = i;
      const size_t end = postfix_end(last);
      if (*kind == RegionKind::kSharedMemory || (last > i && !code_[i + 1].is('.')))
        add(*kind, i, end, code_.raw(i));
    }
    read_pointer_declaration(i);
    return i + 1;
  }

  size_t read_call(size_t i, RegionKind kind) {
    const size_t first = receiver_start(i);
    const size_t end = call_end(i);
    if (kind == RegionKind::kThreadIndexing) {
      const size_t open = i + 1;
      add_index(first, code_[open].is('(') ? std::min<size_t>(code_.match(open), function_.end) : i, end);
    } else {
      add(kind, first, end, code_.raw(i));
    }
    return i + 1;
  }

  const Code& code_;
  const Function& function_;
  std::vector<Region>& regions_;
  std::unordered_map<std::string_view, RegionKind> variables_;
  size_t index_region_ = static_cast<size_t>(-1);  // the last thread_indexing region
  size_t index_last_ = 0;                          // and its last token
};

}  // namespace

void find_sensitive(const Code& code, const Function& function, std::vector<Region>& regions) {
  BodyReader(code, function, regions).run();
}

}  // namespace cuset::cuda_source
