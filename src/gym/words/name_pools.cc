#include "gym/words/name_pools.h"

#include <map>
#include <set>

namespace cuset::gym {
namespace {

using Pools = std::map<std::string_view, NamePool>;

const Pools& local_pools() {
  static const Pools pools = {
      // Places.
      {"i", {"i", "i", "i", "idx", "idx", "tid", "gid", "k", "id", "pos", "e", "at", "ii", "elem"}},
      {"j", {"j", "j", "jj", "l", "q"}},
      {"k", {"k", "k", "kk", "p", "t", "step_k"}},
      {"p", {"p", "pos", "place", "pt"}},
      {"q", {"q", "qq", "other_pos"}},
      {"r", {"r", "row", "ri", "rr"}},
      {"c", {"c", "col", "ci", "ch", "cc"}},
      {"at", {"at", "pos", "place", "index_at", "loc"}},
      {"gid", {"gid", "idx", "global_id", "gtid", "g"}},
      {"row", {"row", "r", "i", "row_id", "row_idx", "line"}},
      {"column", {"col", "c", "j", "column", "col_id", "col_idx"}},
      {"col", {"col", "c", "j", "column", "col_id", "col_idx"}},
      {"tid", {"tid", "t", "tx", "thread", "local_id", "lane_pos", "lt"}},
      {"lane", {"lane", "lane_id", "lid", "ln"}},
      {"lane_id", {"lane_id", "lane", "lid", "ln"}},
      {"warp", {"warp", "warp_id", "wid", "wi"}},
      {"base", {"base", "start", "first", "begin", "from"}},
      {"offset", {"offset", "off", "o", "delta", "hop", "dist"}},
      {"stride", {"stride", "step", "hop", "jump", "span"}},
      {"tx", {"tx", "lx", "x_local", "local_x"}},
      {"ty", {"ty", "ly", "y_local", "local_y"}},
      {"k0", {"k0", "kb", "k_start", "tile_k"}},
      {"h", {"h", "yy", "hi"}},
      {"w", {"w", "xx", "wi"}},
      // Values.
      {"acc", {"acc", "acc", "sum", "s", "total", "accum", "result_v"}},
      {"sum", {"sum", "sum", "acc", "s", "total", "local_sum", "part"}},
      {"mean", {"mean", "mu", "avg", "m"}},
      {"variance", {"variance", "var", "vv", "sigma2"}},
      {"best", {"best", "m", "top_v", "cur_best", "winner"}},
      {"largest", {"largest", "m", "row_max", "biggest", "mx", "peak"}},
      {"value", {"value", "v", "val", "cur", "elem_v"}},
      {"v", {"v", "val", "value", "cur"}},
      {"d", {"d", "diff", "delta_v", "dd"}},
      {"g", {"g", "gr", "g_val", "gv"}},
      {"t", {"t", "tmp", "temp", "tv"}},
      {"s", {"s", "sv", "s_val", "ss"}},
      {"squares", {"squares", "sq", "sq_sum", "sum_sq"}},
      // Memory of a block, scratch.
      {"tile", {"tile", "smem", "sh", "cache", "buf"}},
      {"shared", {"shared", "smem", "sdata", "sh", "buf", "cache", "s_data"}},
      {"partial", {"partial", "partials", "tmp_sums", "block_results", "scratch", "parts_buf"}},
      // Sizes and constants.
      {"block", {"block", "block_size", "threads", "tpb", "threads_per_block", "bs"}},
      {"blocks", {"blocks", "num_blocks", "n_blocks", "grid_blocks"}},
      {"n", {"n", "n", "n", "count", "len", "size", "num", "n_elems", "total_n"}},
      {"rows", {"rows", "rows", "n_rows", "num_rows", "m", "height", "nr"}},
      {"columns", {"cols", "cols", "columns", "n_cols", "num_cols", "width", "nc", "dim"}},
      {"cols", {"cols", "columns", "n_cols", "num_cols", "width", "nc"}},
      {"batch", {"batch", "batch_size", "nb", "batches"}},
      {"channels", {"channels", "chans", "n_channels", "num_ch"}},
      {"height", {"height", "h_size", "ny", "img_h"}},
      {"width", {"width", "w_size", "nx", "img_w"}},
      {"inner", {"inner", "k_dim", "depth_k", "inner_dim"}},
      {"depth", {"depth", "nz", "d_size", "n_depth"}},
      {"classes", {"classes", "n_classes", "num_classes"}},
      {"bins", {"bins", "n_bins", "num_bins"}},
      {"parts", {"parts", "n_parts", "pieces", "chunks"}},
      {"items", {"items", "per_thread", "work", "ipt"}},
      {"alpha", {"alpha", "alpha", "a_coef", "scale_a", "coef"}},
      {"beta", {"beta", "beta", "b_coef", "coef_b"}},
      {"eps", {"eps", "eps", "epsilon", "eps_val"}},
      {"scale", {"scale", "factor", "mult", "scl"}},
      {"factor", {"factor", "scale", "mult", "fac"}},
      {"low", {"low", "lo", "lower", "min_val"}},
      {"high", {"high", "hi", "upper", "max_val"}},
      {"rate", {"rate", "lr", "step_size", "learning_rate"}},
      // Functions of the host.
      {"load", {"load", "read_file", "load_bin", "readBin", "read_data", "load_file"}},
      {"save", {"save", "write_file", "save_bin", "writeBin", "write_data", "save_file"}}};
  return pools;
}

const Pools& input_pools() {
  static const Pools pools = {{"x",
                               {"x", "x", "x", "in", "input", "input", "src", "a", "data", "values", "vec",
                                "inp", "arr", "x_in", "samples"}},
                              {"y", {"y", "b", "in2", "other", "y_in", "rhs", "second"}},
                              {"z", {"z", "c", "in3", "addend", "z_in", "third"}},
                              {"a", {"a", "a", "A", "lhs", "mat_a", "left", "in_a", "first", "x"}},
                              {"b", {"b", "b", "B", "rhs", "mat_b", "right", "in_b", "second", "y"}},
                              {"c", {"c", "c_in", "third", "in_c", "C"}},
                              {"u", {"u", "field", "u_in", "state_in"}},
                              {"v", {"v", "vec", "vector_in", "v_in"}},
                              {"d", {"d", "diag", "d_in", "deltas"}},
                              {"weight", {"weight", "w", "weights", "W", "filter_w", "coeffs"}},
                              {"bias", {"bias", "bias", "bias_vec", "b_vec", "biases"}},
                              {"gain", {"gain", "gains", "gamma_vec", "scale_vec"}},
                              {"scale", {"scale", "scales", "scale_vec", "factors"}},
                              {"shift", {"shift", "shifts", "offset_vec", "beta_vec"}},
                              {"slope", {"slope", "slopes", "slope_vec", "neg_slope"}},
                              {"mask", {"mask", "mask", "flags", "keep", "mask_in"}},
                              {"image", {"image", "img", "picture", "frame", "pixels", "img_in"}},
                              {"labels", {"labels", "classes_in", "label_ids", "gold", "y_labels"}},
                              {"target", {"target", "targets", "truth", "expected", "gold", "y_true"}},
                              {"prediction", {"prediction", "pred", "preds", "y_pred", "guess"}},
                              {"logits", {"logits", "scores", "logits_in", "outputs_raw"}},
                              {"indices", {"indices", "ids", "positions", "index_list", "lookup"}},
                              {"table", {"table", "embeddings", "rows_in", "dictionary"}},
                              {"gradient", {"gradient", "grad", "grads", "dw"}},
                              {"momentum", {"momentum", "mom", "velocity", "m_state"}},
                              {"points", {"points", "pts", "coords", "vectors"}}};
  return pools;
}

const Pools& output_pools() {
  static const Pools pools = {
      {"y",
       {"y", "y", "y", "out", "out", "output", "output", "dst", "result", "res", "out_data", "ans", "y_out"}},
      {"out", {"out", "out", "output", "dst", "result", "res", "y", "out_data", "ans"}},
      {"c", {"c", "C", "out", "prod", "result", "mat_c", "product"}}};
  return pools;
}

const NamePool* find(const Pools& pools, std::string_view key) {
  const auto found = pools.find(key);
  return found == pools.end() ? nullptr : &found->second;
}

}  // namespace

const NamePool* local_pool(std::string_view key) { return find(local_pools(), key); }
const NamePool* input_pool(std::string_view key) { return find(input_pools(), key); }
const NamePool* output_pool(std::string_view key) { return find(output_pools(), key); }

bool is_reserved_word(std::string_view name) {
  static const std::set<std::string_view> words = {
      // C++
      "alignas", "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
      "constexpr", "continue", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
      "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "main", "mutable",
      "namespace", "new", "not", "operator", "or", "private", "protected", "public", "register", "return",
      "short", "signed", "sizeof", "static", "std", "struct", "switch", "template", "this", "throw", "true",
      "try", "typedef", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "while",
      "xor",
      // CUDA
      "blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize", "dim3", "half", "atomicAdd", "clock",
      // the C library and what device code calls
      "abs", "assert", "bsearch", "ceil", "cos", "div", "erf", "exit", "exp", "fabs", "floor", "fma", "free",
      "gamma", "index", "isinf", "isnan", "j0", "j1", "jn", "link", "log", "malloc", "max", "min", "pow",
      "printf", "rand", "random", "read", "remainder", "remove", "rint", "round", "rsqrt", "scalbn", "select",
      "signal", "sin", "sqrt", "system", "tan", "tanh", "time", "trunc", "write", "y0", "y1", "yn",
      // words of the oracle's formulas
      "expm1", "log1p", "sigmoid", "sign", "where"};
  return words.contains(name);
}

}  // namespace cuset::gym
