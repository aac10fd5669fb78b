#include "tasks/oracles/oracles.h"

#include <map>

#include "base/error.h"
#include "base/nearest_name.h"
#include "tasks/oracles/native_call.h"
#include "tasks/oracles/native_oracles.h"

namespace cuset::tasks {
namespace {

const std::vector<NativeForm>& native_forms() {
  static const std::vector<NativeForm> forms = {
      {"map", {}, 0, {"expression", "expressions"}, map_oracle},
      {"loops", {}, 0, {"expression", "over", "op"}, loops_oracle},
      {"reduce", {"x"}, 1, {"op", "axes", "keepdims", "correction"}, reduce_oracle},
      {"matmul", {"a", "b", "bias"}, 2, {"transpose_a", "transpose_b"}, matmul_oracle},
      {"softmax", {"x"}, 1, {"axis"}, softmax_oracle},
      {"log_softmax", {"x"}, 1, {"axis"}, log_softmax_oracle},
      {"layer_norm", {"x", "weight", "bias"}, 1, {"axes", "eps"}, layer_norm_oracle},
      {"rms_norm", {"x", "weight"}, 1, {"axes", "eps"}, rms_norm_oracle},
      {"transpose", {"x"}, 1, {"permutation"}, transpose_oracle},
      {"reshape", {"x"}, 1, {}, reshape_oracle},
      {"triangle", {"x"}, 1, {"part", "diagonal", "value"}, triangle_oracle},
      {"gather", {"x", "index"}, 2, {"axis", "mode"}, gather_oracle},
      {"scatter", {"x", "index"}, 2, {}, scatter_oracle},
      {"sort", {"x"}, 1, {"axis", "descending", "k"}, sort_oracle},
      {"prefix_sum", {"x"}, 1, {"axis", "inclusive"}, prefix_sum_oracle},
      {"scan", {"x"}, 1, {"op", "axis"}, scan_oracle},
      {"recurrence", {"x", "gate"}, 1, {"axis", "decay", "scale", "from_first"}, recurrence_oracle},
      {"histogram", {"x"}, 1, {"bins", "low", "high"}, histogram_oracle},
      {"conv1d", {"x", "weight", "bias"}, 2, {"stride", "padding", "dilation", "groups"}, conv1d_oracle},
      {"conv2d", {"x", "weight", "bias"}, 2, {"stride", "padding", "dilation", "groups"}, conv2d_oracle},
      {"conv3d", {"x", "weight", "bias"}, 2, {"stride", "padding", "dilation", "groups"}, conv3d_oracle},
      {"conv_transpose1d", {"x", "weight", "bias"}, 2, {"stride", "padding"}, conv_transpose1d_oracle},
      {"pool1d", {"x"}, 1, {"op", "kernel", "stride", "padding", "count_padding"}, pool1d_oracle},
      {"pool2d", {"x"}, 1, {"op", "kernel", "stride", "padding", "count_padding"}, pool2d_oracle},
      {"pool3d", {"x"}, 1, {"op", "kernel", "stride", "padding", "count_padding"}, pool3d_oracle},
      {"cross_entropy", {"x", "labels"}, 2, {"reduction"}, cross_entropy_oracle},
      {"mse", {"x", "y"}, 2, {"reduction"}, mse_oracle},
      {"chain", {}, 0, {"steps"}, chain_oracle},
  };
  return forms;
}

std::vector<Array> run_native(const NativeForm& form, const Task& task, const std::vector<Array>& inputs) {
  const NativeCall call(form, task, inputs);
  if (form.compute != map_oracle && task.outputs.size() != 1) {
    call.refuse(fmt::format("it gives one output, and the task has {}", task.outputs.size()));
  }
  std::vector<Tensor> results = form.compute(call);
  if (!call.parameter("then").is_absent()) results[0] = apply_then(call, std::move(results[0]));
  std::vector<Array> outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    const TaskOutput& output = task.outputs[i];
    const NumberType type = is_floating(output.type) ? NumberType::kFloat64 : NumberType::kInt64;
    outputs.push_back(Array::from_doubles(type, output.shape, results[i].values));
  }
  return outputs;
}

using Registry = std::map<std::string, NativeOracle>;

Registry& registry() {
  static Registry oracles = [] {
    Registry native;
    for (const NativeForm& form : native_forms()) {
      native[std::string(form.name)] = [&form](const Task& task, const std::vector<Array>& inputs) {
        return run_native(form, task, inputs);
      };
    }
    return native;
  }();
  return oracles;
}

}  // namespace

void register_oracle(const std::string& name, NativeOracle oracle) {
  const bool is_new = registry().emplace(name, std::move(oracle)).second;
  CUSET_CHECK(is_new, "a second oracle named {}", name);
}

const NativeOracle& oracle_named(const std::string& name, const Task& task) {
  const auto found = registry().find(name);
  if (found != registry().end()) return found->second;
  const std::vector<std::string> known = oracle_names();
  throw base::Error("{}: there is no native oracle {}{}", task.place, base::in_quotes(name),
                    base::did_you_mean(name, known))
      .with_remedy("known: {}", fmt::join(known, ", "));
}

std::vector<std::string> oracle_names() {
  std::vector<std::string> names;
  for (const auto& [name, oracle] : registry()) names.push_back(name);
  return names;
}

}  // namespace cuset::tasks
