#include "gym/names.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace cuset {
namespace {

using Pool = std::vector<std::string_view>;
using Pools = std::map<std::string_view, Pool>;

// Words of C++ and CUDA, and functions of the standard headers that a global name would clash with.
const std::set<std::string_view>& reserved_words() {
  static const std::set<std::string_view> words = {
      "abs",       "alignas",   "and",      "asm",        "assert",   "auto",      "bool",      "break",
      "case",      "catch",     "ceil",     "char",       "class",    "const",     "constexpr", "continue",
      "cos",       "default",   "delete",   "div",        "do",       "double",    "else",      "enum",
      "erf",       "exit",      "exp",      "explicit",   "extern",   "fabs",      "false",     "float",
      "floor",     "fma",       "for",      "free",       "friend",   "gamma",     "goto",      "half",
      "if",        "index",     "inline",   "int",        "isinf",    "isnan",     "j0",        "j1",
      "jn",        "log",       "long",     "main",       "malloc",   "max",       "min",       "mutable",
      "namespace", "new",       "not",      "operator",   "or",       "pow",       "printf",    "private",
      "protected", "public",    "rand",     "read",       "register", "remainder", "remove",    "return",
      "round",     "rsqrt",     "scalbn",   "short",      "sigmoid",  "signal",    "signed",    "sin",
      "sizeof",    "sqrt",      "static",   "std",        "struct",   "switch",    "tan",       "tanh",
      "template",  "this",      "throw",    "time",       "true",     "trunc",     "try",       "typedef",
      "typename",  "union",     "unsigned", "using",      "virtual",  "void",      "volatile",  "warpSize",
      "while",     "write",     "xor",      "y0",         "y1",       "yn",        "blockDim",  "blockIdx",
      "gridDim",   "threadIdx", "dim3",     "expression", "result_",  "where",     "sign",      "rint"};
  return words;
}

const Pools& local_pools() {
  static const Pools pools = {
      {"i", {"i", "i", "idx", "tid", "gid", "k", "id", "pos", "e", "at"}},
      {"j", {"j", "j", "jj", "l", "q"}},
      {"k", {"k", "k", "kk", "p", "t"}},
      {"c", {"c", "col", "j", "ch"}},
      {"r", {"r", "row", "i"}},
      {"row", {"row", "r", "i", "row_id", "row_idx", "y_idx"}},
      {"column", {"col", "c", "j", "column", "col_id", "col_idx"}},
      {"col", {"col", "c", "j", "column", "col_id", "col_idx"}},
      {"acc", {"acc", "sum", "s", "total", "accum", "acc_val"}},
      {"sum", {"sum", "acc", "s", "total", "local_sum", "partial_sum"}},
      {"mean", {"mean", "mu", "avg", "m"}},
      {"variance", {"variance", "var", "v", "sigma2"}},
      {"best", {"best", "m", "largest", "top", "cur_best"}},
      {"largest", {"largest", "m", "row_max", "biggest", "mx"}},
      {"value", {"value", "v", "val", "cur", "elem"}},
      {"v", {"v", "val", "value", "elem"}},
      {"tid", {"tid", "t", "tx", "thread", "local_id"}},
      {"lane", {"lane", "lane_id", "lid"}},
      {"warp", {"warp", "warp_id", "wid", "w"}},
      {"base", {"base", "start", "first", "begin", "offset"}},
      {"offset", {"offset", "off", "o", "delta", "shift", "d"}},
      {"stride", {"stride", "step", "hop", "jump"}},
      {"tile", {"tile", "smem", "sh", "cache", "buf"}},
      {"shared", {"shared", "smem", "sdata", "sh", "buf", "cache"}},
      {"tx", {"tx", "lx", "x_local"}},
      {"ty", {"ty", "ly", "y_local"}},
      {"partial", {"partial", "partials", "tmp", "block_sums", "scratch"}},
      {"block", {"block", "block_size", "threads", "tpb", "threads_per_block", "bs"}},
      {"n", {"n", "n", "count", "len", "size", "num", "total_n", "n_elems"}},
      {"rows", {"rows", "n_rows", "num_rows", "m", "height", "R"}},
      {"columns", {"cols", "columns", "n_cols", "num_cols", "width", "n", "C"}},
      {"cols", {"cols", "columns", "n_cols", "num_cols", "width", "n", "C"}},
      {"alpha", {"alpha", "a", "scale", "factor", "coef"}},
      {"beta", {"beta", "b", "beta_val", "coef2"}},
      {"load", {"load", "read_file", "load_bin", "readBin", "read_data", "load_file"}},
      {"save", {"save", "write_file", "save_bin", "writeBin", "write_data", "save_file"}},
      {"eps", {"eps", "epsilon", "eps_val", "e"}}};
  return pools;
}

const Pools& input_pools() {
  static const Pools pools = {
      {"x", {"x", "x", "in", "input", "src", "a", "data", "values", "vec", "inp", "signal_in", "arr"}},
      {"y", {"y", "b", "in2", "other", "y_in", "rhs", "second"}},
      {"z", {"z", "c", "in3", "addend", "z_in", "third"}},
      {"a", {"a", "A", "lhs", "mat_a", "left", "in_a", "x"}},
      {"b", {"b", "B", "rhs", "mat_b", "right", "in_b", "y"}},
      {"weight", {"weight", "w", "weights", "W", "kernel_w", "filt"}},
      {"bias", {"bias", "b", "bias_vec", "offsets_b"}},
      {"labels", {"labels", "targets", "classes", "label", "gold"}},
      {"target", {"target", "targets", "truth", "expected", "gold", "y_true"}},
      {"indices", {"indices", "idx", "ids", "positions", "index_list"}}};
  return pools;
}

const Pools& output_pools() {
  static const Pools pools = {{"y", {"y", "y", "out", "output", "dst", "result", "res", "out_vec", "ans"}},
                              {"out", {"out", "output", "dst", "result", "res", "y", "out_data", "ans"}},
                              {"c", {"c", "C", "out", "prod", "result", "mat_c", "product"}}};
  return pools;
}

Pool pool_for(const Pools& pools, std::string_view key) {
  const auto found = pools.find(key);
  return found == pools.end() ? Pool{key} : found->second;
}

}  // namespace

bool NameScope::is_free(std::string_view name) const {
  return !taken_.contains(name) && !reserved_words().contains(name);
}

std::string NameScope::take(std::string wanted) {
  std::string name = wanted;
  for (int number = 2; !is_free(name); ++number) name = fmt::format("{}{}", wanted, number);
  taken_.insert(name);
  return name;
}

std::string NameScope::draw(const Pool& pool, RandomStream& stream) {
  Pool free;
  std::copy_if(pool.begin(), pool.end(), std::back_inserter(free),
               [this](std::string_view name) { return is_free(name); });
  const Pool& from = free.empty() ? pool : free;
  return take(std::string(from[stream.below(from.size())]));
}

std::string NameScope::draw_local(std::string_view key, RandomStream& stream) {
  return draw(pool_for(local_pools(), key), stream);
}

std::string NameScope::draw_file(std::string_view key, bool is_output, RandomStream& stream) {
  return draw(pool_for(is_output ? output_pools() : input_pools(), key), stream);
}

std::string camel(std::string_view snake) {
  std::string result;
  for (size_t i = 0; i < snake.size(); ++i) {
    const bool raised = i > 0 && snake[i - 1] == '_' && snake[i] >= 'a' && snake[i] <= 'z';
    if (snake[i] != '_') result += raised ? static_cast<char>(snake[i] - 'a' + 'A') : snake[i];
  }
  return result;
}

std::string capitalised(std::string_view snake) {
  std::string result = camel(snake);
  if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
    result[0] = static_cast<char>(result[0] - 'a' + 'A');
  return result;
}

std::string upper(std::string_view snake) {
  std::string result(snake);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

}  // namespace cuset
