#include "tasks/oracles/oracles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/files/file.h"
#include "base/stats/random.h"
#include "support/error_text.h"
#include "tasks/inputs.h"

namespace cuset::tasks {
namespace {

const char* const kNames[] = {"x", "y", "c"};

// Sixteenths between -50 and 50 that jump about; exact in float32.
double sample_value(size_t input, size_t place) {
  return (static_cast<double>(((place + 1000 * input) * 37 + 11) % 101) - 50) / 16;
}

Task task_of(const std::string& oracle, const std::string& parameters, const std::vector<Shape>& shapes,
             const Shape& output) {
  Task task;
  task.place = "test:1";
  task.oracle.native = oracle;
  if (!parameters.empty()) task.oracle.parameters = base::parse_json(parameters, "parameters");
  for (size_t i = 0; i < shapes.size(); ++i)
    task.inputs.push_back({kNames[i], NumberType::kFloat32, shapes[i], {}});
  task.outputs.push_back({"out", NumberType::kFloat32, output, {}});
  return task;
}

std::vector<Array> sample_inputs(const Task& task) {
  std::vector<Array> inputs;
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    Array array = Array::zeros(task.inputs[i].type, task.inputs[i].shape);
    for (size_t j = 0; j < array.count(); ++j) array.set(j, sample_value(i, j));
    inputs.push_back(std::move(array));
  }
  return inputs;
}

Array run(const Task& task, const std::vector<Array>& inputs) {
  return oracle_named(task.oracle.native, task)(task, inputs)[0];
}

std::string refused(const Task& task) {
  return support::error_of([&] { run(task, sample_inputs(task)); });
}

std::string refused(const std::string& oracle, const std::string& parameters,
                    const std::vector<Shape>& shapes, const Shape& output) {
  return refused(task_of(oracle, parameters, shapes, output));
}

// What numpy, scipy and PyTorch give in float64; testdata/oracles/make_reference.py wrote it.
base::Json reference_cases() { return base::read_json_file("testdata/oracles/reference.json"); }

TEST(Oracles, AgreeWithNumpyScipyAndPyTorch) {
  for (const base::Json& one : reference_cases()) {
    const std::string oracle = one.at("oracle");
    const std::string parameters = base::to_json_line(one.at("parameters"));
    const Task task = task_of(oracle, parameters, one.at("inputs").get<std::vector<Shape>>(),
                              one.at("output").get<Shape>());
    const Array result = run(task, sample_inputs(task));
    const auto wanted = one.at("wanted").get<std::vector<double>>();
    EXPECT_EQ(result.shape, task.outputs[0].shape);
    ASSERT_EQ(result.type, NumberType::kFloat64);
    ASSERT_EQ(result.count(), wanted.size()) << oracle << parameters;
    for (size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(result.at(i), wanted[i], 4e-15 * (1 + std::abs(wanted[i])))
          << oracle << " " << parameters << " [" << i << "]";
    }
  }
}

TEST(Oracles, EveryOneIsTriedHere) {
  std::vector<std::string> left = oracle_names();
  for (const base::Json& one : reference_cases()) std::erase(left, one.at("oracle").get<std::string>());
  std::erase_if(left, [](const std::string& name) { return name.starts_with("test_"); });
  EXPECT_EQ(left, (std::vector<std::string>{"cross_entropy", "gather", "scatter"}));
}

TEST(Oracles, CrossEntropyOfWholeLabels) {
  Task task = task_of("cross_entropy", R"({"reduction": "none"})", {{2, 3}, {2}}, {2});
  task.inputs[1].type = NumberType::kInt64;
  std::vector<Array> inputs = {Array::from_doubles(NumberType::kFloat32, {2, 3}, {0, 0, 0, 1, 2, 3}),
                               Array::from_doubles(NumberType::kInt64, {2}, {2, 0})};
  const Array each = run(task, inputs);
  EXPECT_NEAR(each.at(0), std::log(3.0), 1e-15);
  EXPECT_NEAR(each.at(1), 2.4076059644443806, 1e-15);  // log(e + e^2 + e^3) - 1
  task.oracle.parameters = base::Json();
  task.outputs[0].shape = {};
  EXPECT_NEAR(run(task, inputs).at(0), (std::log(3.0) + 2.4076059644443806) / 2, 1e-15);
  inputs[1].set(1, 3);
  EXPECT_EQ(support::error_of([&] {
              run(task, inputs);
            }).find("test:1: oracle 'cross_entropy': labels[1] is 3, but there are 3 classes"),
            0U);
}

TEST(Oracles, GatherTakesSlicesOrGoesAlongAnAxis) {
  const Array x = Array::from_doubles(NumberType::kFloat32, {2, 3}, {0, 1, 2, 10, 11, 12});
  Task task = task_of("gather", R"({"axis": 1})", {{2, 3}, {4}}, {2, 4});
  Array index = Array::from_doubles(NumberType::kInt32, {4}, {2, 0, 0, 1});
  EXPECT_EQ(run(task, {x, index}).to_doubles(), (std::vector<double>{2, 0, 0, 1, 12, 10, 10, 11}));
  index.set(3, -1);
  EXPECT_NE(
      support::error_of([&] { run(task, {x, index}); }).find("index[3] is -1, but the axis has 3 places"),
      std::string::npos);

  task = task_of("gather", "", {{2, 3}, {1, 2}}, {1, 2, 3});
  index = Array::from_doubles(NumberType::kInt32, {1, 2}, {1, 0});
  EXPECT_EQ(run(task, {x, index}).to_doubles(), (std::vector<double>{10, 11, 12, 0, 1, 2}));

  task = task_of("gather", R"({"axis": 1, "mode": "along"})", {{2, 3}, {2, 1}}, {2, 1});
  index = Array::from_doubles(NumberType::kInt32, {2, 1}, {2, 1});
  EXPECT_EQ(run(task, {x, index}).to_doubles(), (std::vector<double>{2, 11}));
}

TEST(Oracles, ScatterAddsSlices) {
  const Array x = Array::from_doubles(NumberType::kFloat32, {3, 2}, {1, 2, 3, 4, 5, 6});
  Array index = Array::from_doubles(NumberType::kInt32, {3}, {3, 0, 3});
  const Task task = task_of("scatter", "", {{3, 2}, {3}}, {4, 2});
  EXPECT_EQ(run(task, {x, index}).to_doubles(), (std::vector<double>{3, 4, 0, 0, 0, 0, 6, 8}));
  index.set(1, 4);
  EXPECT_NE(
      support::error_of([&] { run(task, {x, index}); }).find("index[1] is 4, but the axis has 4 places"),
      std::string::npos);
}

TEST(Oracles, HistogramOfWholeNumbersNeedsNoRange) {
  Task task = task_of("histogram", R"({"bins": 49})", {{100}}, {49});
  task.inputs[0].type = NumberType::kInt32;
  task.outputs[0].type = NumberType::kInt32;
  Array x = Array::zeros(NumberType::kInt32, {100});
  for (size_t i = 0; i < 98; ++i) x.set(i, static_cast<double>(i / 2));
  x.set(98, 49);
  x.set(99, -1);
  const Array counts = run(task, {x});
  EXPECT_EQ(counts.type, NumberType::kInt64);
  EXPECT_EQ(counts.to_doubles(), std::vector<double>(49, 2));
}

TEST(Oracles, SeveralOutputsOfOneMap) {
  Task task = task_of("map", R"({"expressions": {"out": "x + y", "less": "x < y"}})", {{4}, {4}}, {4});
  task.outputs.push_back({"less", NumberType::kBool, {4}, {}});
  const std::vector<Array> inputs = sample_inputs(task);
  const std::vector<Array> outputs = oracle_named("map", task)(task, inputs);
  ASSERT_EQ(outputs.size(), 2U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(outputs[0].at(i), inputs[0].at(i) + inputs[1].at(i));
    EXPECT_EQ(outputs[1].at(i), inputs[0].at(i) < inputs[1].at(i) ? 1 : 0);
  }
  EXPECT_EQ(outputs[1].type, NumberType::kInt64);
}

TEST(Oracles, OperandsGoByOrderOrByName) {
  Task task = task_of("matmul", R"({"a": "y", "b": "c"})", {{}, {2, 3}, {3, 2}}, {2, 2});
  task.inputs[0].domain.kind = Domain::Kind::kSize;
  const Array named = run(task, sample_inputs(task));
  task.oracle.parameters = base::Json();
  EXPECT_EQ(run(task, sample_inputs(task)).bytes, named.bytes);  // the size is passed over
}

// A million numbers that nearly cancel: a plain sum would lose eight digits.
TEST(Oracles, SumsLoseNothing) {
  const size_t count = 1 << 20;
  std::vector<double> numbers(count);
  for (size_t i = 0; i < count; i += 2) {
    numbers[i] = 1e8 * static_cast<double>(i + 1);
    numbers[i + 1] = -numbers[i] + 0x1p-20;
  }
  const Array x = Array::from_doubles(NumberType::kFloat64, {1 << 20}, numbers);
  double exact = 0;  // every term is a multiple of 2^-20 or rounds alike on both sides
  for (size_t i = 0; i < count; i += 2) exact += numbers[i] + numbers[i + 1];
  EXPECT_EQ(run(task_of("reduce", R"({"op": "sum"})", {{1 << 20}}, {}), {x}).at(0), exact);
  EXPECT_EQ(run(task_of("prefix_sum", "", {{1 << 20}}, {1 << 20}), {x}).at(count - 1), exact);
}

// Against sums in long double, which on this scale are exact to 1e-18.
TEST(Oracles, LongProductsAreExactToFifteenDigits) {
  const Shape shape = {3, 5000};
  const Task task = task_of("matmul", R"({"transpose_b": true})", {shape, shape}, {3, 3});
  base::RandomStream stream(5, "matmul");
  std::vector<Array> inputs(2, Array::zeros(NumberType::kFloat32, shape));
  for (Array& input : inputs) {
    for (size_t i = 0; i < input.count(); ++i) input.set(i, stream.normal());
  }
  const Array result = run(task, inputs);
  for (size_t i = 0; i < 9; ++i) {
    long double sum = 0;
    double size = 0;
    for (size_t k = 0; k < 5000; ++k) {
      const double term = inputs[0].at(i / 3 * 5000 + k) * inputs[1].at(i % 3 * 5000 + k);
      sum += term;
      size += std::abs(term);
    }
    EXPECT_NEAR(result.at(i), static_cast<double>(sum), 1e-15 * size);
  }
}

TEST(Oracles, UndefinedNumbersDoNotSpoilASort) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Array x = Array::from_doubles(NumberType::kFloat64, {4}, {nan, 2, nan, 1});
  const Array sorted = run(task_of("sort", "", {{4}}, {4}), {x});
  EXPECT_EQ(sorted.at(0), 1);
  EXPECT_EQ(sorted.at(1), 2);
  EXPECT_TRUE(std::isnan(sorted.at(3)));
}

TEST(Oracles, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(refused("sotfmax", "", {{2}}, {2})
                .find("test:1: there is no native oracle \"sotfmax\"; did you mean 'softmax'?"),
            0U);
}

// The pieces of JSON in docs/tasks.md that are whole tasks.
std::vector<base::Json> documented_tasks() {
  const std::string page = base::read_file("docs/tasks.md");
  const std::string_view opening = "```json\n";
  std::vector<base::Json> tasks;
  for (size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at)) {
    at += opening.size();
    tasks.push_back(
        base::parse_json(std::string_view(page).substr(at, page.find("```", at) - at), "docs/tasks.md"));
  }
  return tasks;
}

TEST(Oracles, TheDocumentedTasksWork) {
  const std::vector<base::Json> tasks = documented_tasks();
  ASSERT_EQ(tasks.size(), 2U);
  for (const base::Json& record : tasks) {
    const Task task = task_from_json(record, "docs/tasks.md");
    const std::vector<Array> inputs =
        make_inputs(task, Variation::kPlain, base::RandomStream(1, "documented"));
    const std::vector<Array> outputs = oracle_named(task.oracle.native, task)(task, inputs);
    EXPECT_EQ(outputs.at(0).shape, task.outputs.at(0).shape) << task.id;
  }
}

struct BadUse {
  const char* oracle;
  const char* parameters;
  std::vector<Shape> shapes;
  Shape output;
  const char* message;
};

TEST(Oracles, SayWhatDoesNotFit) {
  const BadUse cases[] = {
      {"softmax",
       R"({"axes": 0})",
       {{2, 2}},
       {2, 2},
       "field 'oracle.parameters.axes' is not supported; did you mean 'axis'?"},
      {"softmax",
       R"({"axis": 2})",
       {{2, 2}},
       {2, 2},
       "field 'oracle.parameters.axis' must be a whole number from -2 to 1"},
      {"softmax", "", {{}}, {}, "its operand is one number and has no axis"},
      {"softmax", "", {{2, 2}, {2}}, {2, 2}, "it does not use the input 'y'"},
      {"softmax", "", {}, {2, 2}, "the task has no input for its operand x"},
      {"softmax", "", {{2, 0}}, {2, 0}, "the input 'x' is empty"},
      {"softmax", "", {{2, 3}}, {3, 2}, "it gives (2, 3) for the output 'out', which is declared (3, 2)"},
      {"reduce", "", {{2}}, {}, "field 'oracle.parameters.op' is missing"},
      {"reduce",
       R"({"op": "summ"})",
       {{2}},
       {},
       "field 'oracle.parameters.op' must be a known op, found the string \"summ\"; did you mean 'sum'?"},
      {"reduce",
       R"({"op": "sum", "axes": [0, 0]})",
       {{2, 2}},
       {},
       "field 'oracle.parameters.axes' has an axis twice"},
      {"reduce", R"({"op": "sum", "correction": 1})", {{2}}, {}, "correction' belongs to var"},
      {"matmul", "", {{2, 3}, {2, 3}}, {2, 3}, "(2, 3) times (2, 3) does not fit"},
      {"matmul",
       "",
       {{2, 2, 3}, {3, 3, 1}},
       {2, 2, 1},
       "the leading axes of (2, 2, 3) and (3, 3, 1) do not fit"},
      {"matmul",
       R"({"a": "z"})",
       {{2, 3}, {3, 2}},
       {2, 2},
       "field 'oracle.parameters.a' must be an input, found the string \"z\""},
      {"matmul", "", {{2, 3}, {3, 2}, {3}}, {2, 2}, "bias has the shape (3,), but the product 2 columns"},
      {"layer_norm", "", {{2, 3}, {2}}, {2, 3}, "weight has the shape (2,), but a row 3 numbers"},
      {"layer_norm", R"({"eps": -1})", {{2, 3}}, {2, 3}, "field 'oracle.parameters.eps' must be 0 or more"},
      {"transpose", R"({"permutation": [0]})", {{2, 3}}, {3, 2}, "must name each of the 2 axes once"},
      {"histogram", R"({"bins": 3})", {{5}}, {3}, "field 'oracle.parameters.low' is missing"},
      {"histogram",
       R"({"bins": 0})",
       {{5}},
       {3},
       "field 'oracle.parameters.bins' must be a whole number from 1"},
      {"conv1d",
       "",
       {{1, 2, 6}, {3, 1, 3}},
       {1, 3, 4},
       "2 channels, weight (3, 1, 3) and 1 groups do not fit"},
      {"conv2d", "", {{1, 2, 6}, {3, 2, 3}}, {1, 3, 4}, "x has the shape (1, 2, 6), but must have 4 axes"},
      {"conv1d",
       R"({"stride": [1, 2]})",
       {{1, 1, 6}, {1, 1, 3}},
       {4},
       "stride' must have 1 numbers or be one"},
      {"pool2d",
       R"({"op": "max", "kernel": 2, "padding": 2})",
       {{4, 4}},
       {2, 2},
       "padding' must be at most half"},
      {"pool2d", R"({"op": "max"})", {{4, 4}}, {2, 2}, "field 'oracle.parameters.kernel' is missing"},
      {"pool3d", R"({"op": "max", "kernel": 2})", {{4, 4}}, {2, 2}, "(4, 4), but must have three axes"},
      {"conv_transpose1d",
       "",
       {{1, 2, 6}, {3, 1, 3}},
       {1, 1, 8},
       "x (1, 2, 6) and weight (3, 1, 3) do not fit"},
      {"conv_transpose1d",
       R"({"padding": 4})",
       {{1, 1, 3}, {1, 1, 3}},
       {1, 1, 1},
       "a padding of 4 leaves nothing"},
      {"reshape", "", {{2, 3}}, {4}, "(4,) does not hold as many numbers as (2, 3)"},
      {"triangle", "", {{4}}, {4}, "x has the shape (4,), but must have two axes"},
      {"scan",
       R"({"op": "sum"})",
       {{4}},
       {4},
       "field 'oracle.parameters.op' must be a known op, found the string \"sum\""},
      {"recurrence", "", {{4}}, {4}, "it needs either an operand gate or a parameter decay"},
      {"recurrence", "", {{4}, {3}}, {4}, "x has the shape (4,) and gate (3,)"},
      {"chain", "", {{4}}, {4}, "field 'oracle.parameters.steps' must have a step"},
      {"chain", R"({"steps": [{"native": "chain"}]})", {{4}}, {4}, "native' cannot be a chain itself"},
      {"chain", R"({"steps": [{"native": "mop"}]})", {{4}}, {4}, "there is no native oracle \"mop\""},
      {"chain",
       R"({"steps": [{"native": "softmax", "inputs": ["w"]}]})",
       {{4}},
       {4},
       "must be an input or an earlier step, found the string \"w\""},
      {"chain",
       R"({"steps": [{"name": "a", "native": "softmax", "shape": [5]}, {"native": "softmax", "inputs": ["a"]}]})",
       {{4}},
       {4},
       "it gives (4,) for the output 'a', which is declared (5,)"},
      {"mse", "", {{2}, {3}}, {}, "x has the shape (2,) and y (3,)"},
      {"gather", R"({"mode": "along"})", {{2, 3}, {2}}, {2}, "along an axis all other sides must agree"},
      {"scatter", "", {{3, 2}, {3}}, {4}, "they differ in the first side only"},
      {"loops", R"({"expression": "x[i0]"})", {{2, 2}}, {2}, "\"x\" has 2 axes, but 1 places are given"},
      {"loops", R"({"expression": "x[i1]"})", {{2}}, {2}, "column 3: there is no input \"i1\""},
      {"loops", R"({"expression": "1", "over": [9999, 9999]})", {}, {9}, "more than 2^27 terms"},
      {"loops",
       R"({"expression": "1", "over": [0]})",
       {},
       {},
       "field 'oracle.parameters.over[0]' must be a whole number from 1"},
      {"map", "", {{2}}, {2}, "field 'oracle.parameters.expression' is missing"},
      {"map", R"({"expression": "x + z"})", {{2}}, {2}, "column 5: there is no input \"z\""},
      {"map",
       R"({"expression": "x + y"})",
       {{2}, {3}},
       {2},
       "the input 'y' of shape (3,) does not stretch to (2,)"},
  };
  for (const BadUse& one : cases) {
    const std::string message = refused(one.oracle, one.parameters, one.shapes, one.output);
    EXPECT_EQ(message.find("test:1: "), 0U) << message;
    EXPECT_NE(message.find(one.message), std::string::npos) << one.message << "\n" << message;
  }
}

TEST(Oracles, OthersCanBeMadeKnown) {
  const std::string name = fmt::format("test_{}", oracle_names().size());
  register_oracle(name, [](const Task& task, const std::vector<Array>&) {
    return std::vector<Array>{Array::from_doubles(NumberType::kFloat64, task.outputs[0].shape, {42})};
  });
  EXPECT_EQ(run(task_of(name, "", {}, {}), {}).at(0), 42);
  EXPECT_THROW(register_oracle(name, nullptr), base::CheckFailure);
}

}  // namespace
}  // namespace cuset::tasks
