// Evaluates training objectives for a test script. One JSON case per line on standard input: the settings by
// their keys, "type" (float64 or float32), "width", "progress", "gradient_scale" and the tensors as flat
// lists "hidden", "reference_hidden" (ASFT), "head", "positions", "targets", "is_cuda", "borders",
// "data_weights", "vouched" (where not all are). One JSON answer per line on standard output: every member of ObjectiveResult and
// "head_gradient", as flat lists.
#include <torch/types.h>
#include <torch/utils.h>

#include <string>
#include <vector>

#include "answer_lines.h"
#include "objective/objective.h"
#include "tensor_numbers.h"

namespace {

using cuset::base::Json;
using cuset::tests::numbers;

cuset::objective::ObjectiveSettings settings_of(const Json& request) {
  cuset::objective::ObjectiveSettings settings;
  settings.method = cuset::objective::method_named(request.at("method").get<std::string>());
  settings.tau = request.at("tau");
  settings.tau_ramp = request.at("tau_ramp");
  settings.lambda = request.at("lambda");
  settings.window = request.at("window");
  settings.confidence_mask = request.at("confidence_mask");
  settings.cuda_mask = request.at("cuda_mask");
  settings.sample_weight = request.at("sample_weight");
  settings.refused_share = request.at("refused_share");
  settings.conflict = request.at("conflict");
  settings.entropy_exponent = request.at("entropy_exponent");
  settings.divergence = request.at("divergence");
  settings.check();
  return settings;
}

// [n / width, width] in the type of the request.
torch::Tensor matrix_of(const Json& request, const char* key) {
  const auto type = request.at("type") == "float32" ? torch::kFloat32 : torch::kFloat64;
  const auto values = request.at(key).get<std::vector<double>>();
  return torch::tensor(values, torch::kFloat64).to(type).view({-1, request.at("width").get<int64_t>()});
}

torch::Tensor integers_of(const Json& request, const char* key) {
  return torch::tensor(request.at(key).get<std::vector<int64_t>>(), torch::kInt64);
}

cuset::objective::ObjectiveInput input_of(const Json& request) {
  cuset::objective::ObjectiveInput input;
  input.hidden = matrix_of(request, "hidden");
  if (request.contains("reference_hidden")) input.reference_hidden = matrix_of(request, "reference_hidden");
  input.head.value = matrix_of(request, "head");
  input.head.gradient = torch::zeros_like(input.head.value);
  input.progress = request.at("progress");
  input.gradient_scale = request.at("gradient_scale");
  return input;
}

cuset::objective::SupervisedRows rows_of(const Json& request) {
  cuset::objective::SupervisedRows rows;
  rows.positions = integers_of(request, "positions");
  rows.targets = integers_of(request, "targets");
  rows.is_cuda = integers_of(request, "is_cuda").to(torch::kBool);
  rows.borders = request.at("borders").get<std::vector<int64_t>>();
  rows.data_weights = torch::tensor(request.at("data_weights").get<std::vector<float>>());
  if (request.contains("vouched")) rows.vouched = integers_of(request, "vouched").to(torch::kBool);
  return rows;
}

Json answer(const Json& request) {
  const cuset::objective::ObjectiveInput input = input_of(request);
  const auto result = cuset::objective::evaluate_objective(settings_of(request), input, rows_of(request));
  return {{"hidden_gradient", numbers(result.hidden_gradient)},
          {"head_gradient", numbers(input.head.gradient)},
          {"loss_sum", numbers(result.loss_sum)},
          {"weight_sum", numbers(result.weight_sum)},
          {"cross_entropy_sum", numbers(result.cross_entropy_sum)},
          {"confidence_sum", numbers(result.confidence_sum)},
          {"masked_in_sum", numbers(result.masked_in_sum)},
          {"correct_sum", numbers(result.correct_sum)},
          {"sample_weights", numbers(result.sample_weights)},
          {"lowest_window", numbers(result.lowest_window)},
          {"row_weight", numbers(result.row_weight)},
          {"row_loss", numbers(result.row_loss)}};
}

}  // namespace

int main() {
  torch::set_num_threads(1);
  return cuset::tests::answer_lines(answer);
}
