#include "benchmarks/kernelbench/light_headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "sandbox/process.h"

namespace cuset::benchmarks {
namespace {

TEST(OperationHeaders, EveryFunctionThatTheAnswerNamesIsIncludedOnce) {
  const std::string text = operation_headers(
      "auto y = torch::matmul(a, b); at::relu_(torch::matmul(y, y)); std::sort(x); torch::");
  EXPECT_EQ(text,
            "#pragma once\n"
            "#if __has_include(<ATen/ops/matmul.h>)\n#include <ATen/ops/matmul.h>\n#endif\n"
            "#if __has_include(<ATen/ops/relu_.h>)\n#include <ATen/ops/relu_.h>\n#endif\n");
}

TEST(OperationHeaders, FunctionsOutsideOfTheirOwnHeaderAreIncludedToo) {
  EXPECT_EQ(operation_headers("const at::cuda::OptionalCUDAGuard guard(device_of(x));"),
            "#pragma once\n"
            "#if __has_include(<ATen/ops/cuda.h>)\n#include <ATen/ops/cuda.h>\n#endif\n"
            "#if __has_include(<ATen/DeviceGuard.h>)\n#include <ATen/DeviceGuard.h>\n#endif\n");
}

TEST(NameMacros, SayWhoseOwnHeadersTheAnswerNeeds) {
  EXPECT_EQ(name_macros("#include <torch/extension.h>\ntorch::Tensor f();"), "#pragma once\n");
  EXPECT_EQ(name_macros("PYBIND11_MODULE(x, m) {}"), "#pragma once\n#define CUSET_NAMES_PYBIND\n");
  EXPECT_EQ(name_macros("#include <torch/torch.h>"), "#pragma once\n#define CUSET_NAMES_PYBIND\n");
  EXPECT_EQ(name_macros("#include <thrust/sort.h>"), "#pragma once\n#define CUSET_NAMES_THRUST\n");
  EXPECT_EQ(name_macros("c10::complex<float> z;"), "#pragma once\n#define CUSET_NAMES_THRUST\n");
}

constexpr std::string_view kBody =
    "#include <ATen/MethodOperators.h>\n"
    "class Tensor { Tensor abs() const; };\n"
    "// aten::abs(Tensor self) -> Tensor\n"
    "inline Tensor Tensor::abs() const {\n"
    "    return at::_ops::abs::call(*this);\n"
    "}\n"
    "\n"
    "// aten::relu_(Tensor self) -> Tensor\n"
    "inline Tensor Tensor::relu_() const {\n"
    "    return at::_ops::relu_::call(*this);\n"
    "}\n"
    "// end\n";

TEST(TensorWithMethods, KeepsTheBodiesOfMethodsThatAreNamed) {
  EXPECT_EQ(tensor_with_methods(kBody, "x.abs(); y.absolute();"),
            "#if __has_include(<ATen/ops/abs_ops.h>)\n#include <ATen/ops/abs_ops.h>\n#endif\n\n"
            "class Tensor { Tensor abs() const; };\n"
            "// aten::abs(Tensor self) -> Tensor\n"
            "inline Tensor Tensor::abs() const {\n"
            "    return at::_ops::abs::call(*this);\n"
            "}\n"
            "\n"
            "// end\n");
  const std::string in_place = tensor_with_methods(kBody, "x.relu_()");
  EXPECT_NE(in_place.find("#include <ATen/ops/relu_ops.h>"), in_place.npos) << in_place;
  EXPECT_EQ(in_place.find("Tensor::abs()"), in_place.npos) << in_place;
}

TEST(TensorWithMethods, LeavesPyTorchsOwnWhereAnyMethodMayBeCalled) {
  EXPECT_EQ(tensor_with_methods(kBody, "#include <ATen/ATen.h>\nx.abs()"), "");
  EXPECT_NE(tensor_with_methods(kBody, "#include <ATen/cuda/CUDAContext.h>\nx.abs()"), "");
}

TEST(TensorWithMethods, LeavesPyTorchsOwnWhereItIsWrittenOtherwise) {
  EXPECT_EQ(tensor_with_methods("", "x.abs()"), "");
  EXPECT_EQ(tensor_with_methods("class Tensor {};\n", "x.abs()"), "");
  EXPECT_EQ(tensor_with_methods("#include <ATen/MethodOperators.h>\n// aten::sin() -> Tensor\n", "x.abs()"),
            "");
}

TEST(LightOperation, IncludesOnlyWhatItNeeds) {
  EXPECT_EQ(light_operation("#pragma once\n#include <ATen/Context.h>\n#include <ATen/core/Tensor.h>\n"
                            "#include <ATen/TensorUtils.h>\ninline int abs();\n"),
            "#pragma once\n#include <ATen/core/Tensor.h>\ninline int abs();\n");
}

TEST(AnswerHeaders, AreFoundInTheirFolder) {
  const base::TemporaryFolder folder;
  const base::TemporaryFolder site;
  std::filesystem::create_directories(site / "torch/include/ATen/core");
  std::filesystem::create_directories(site / "torch/include/ATen/ops");
  base::write_file_atomic(site / "torch/include/ATen/core/TensorBody.h", kBody);
  base::write_file_atomic(site / "torch/include/ATen/ops/matmul.h",
                          "#include <ATen/Context.h>\nint matmul();\n");
  judge::Python python;
  python.readable = {folder.path(), site.path()};
  write_answer_headers(folder / "headers", "x.abs(); torch::matmul(x, x);", python);
  const auto text_of = [&](const char* name) { return base::read_file(folder / "headers" / name); };
  EXPECT_EQ(text_of("cuset_names.h"), "#pragma once\n");
  EXPECT_NE(text_of("cuset_operations.h").find("matmul.h"), std::string::npos);
  EXPECT_EQ(text_of("ATen/ops/matmul.h"), "int matmul();\n");
  EXPECT_EQ(text_of("ATen/core/TensorBody.h").find("relu_"), std::string::npos);
}

// What pybind11 gives for the same calls.
constexpr const char* kBoundFunctions = R"PYTHON(
import sys, torch
from torch.utils.cpp_extension import load_inline

source = """
torch::Tensor scale(const torch::Tensor& x, double factor) { return x.mul(factor); }
std::tuple<int, bool, std::string> echo(int number, bool truth, std::string text) { return {number, truth, text}; }
std::vector<torch::Tensor> all(std::vector<torch::Tensor> given, std::optional<torch::Tensor> last) {
  if (last) given.push_back(*last);
  return given;
}
torch::Tensor nothing() { return {}; }
void fail(unsigned count) { TORCH_CHECK(count == 0, "count is ", count); }
void fail_otherwise(int how) {
  TORCH_CHECK_VALUE(how != 1, "a value");
  if (how == 2) throw std::out_of_range("a range");
  if (how == 3) throw std::logic_error("a bug");
  if (how == 4) throw 4;
}
"""
bound = load_inline("bound", [source], functions=["scale", "echo", "all", "nothing", "fail", "fail_otherwise"], build_directory=sys.argv[1])

def error_of(function, *arguments, **named):
    try:
        function(*arguments, **named)
    except Exception as error:
        return type(error).__name__, str(error)

x = torch.ones(3)
assert bound.scale(x, 2).tolist() == [2, 2, 2] and bound.scale(torch.nn.Parameter(x), torch.tensor(0.5))[0] == 0.5
assert bound.echo(True, None, b"a") == (1, False, "a") and bound.echo(torch.tensor(7), x[0], "\u00e9") == (7, True, "\u00e9")
assert [t is x for t in bound.all((x,), None)] == [True] and len(bound.all([x, x], x)) == 3 and bound.all([], None) == []
assert bound.nothing() is None and bound.fail(0) is None
assert [error_of(bound.fail_otherwise, how) for how in (2, 3, 4)] == [
    ("IndexError", "a range"), ("RuntimeError", "a bug"), ("RuntimeError", "Caught an unknown exception!")]
print("C++'s exceptions arrive", flush=True)
assert error_of(bound.fail, 3)[0] == "RuntimeError" and "count is 3" in error_of(bound.fail, 3)[1]
assert error_of(bound.fail_otherwise, 1) == ("ValueError", "a value")
print("PyTorch's exceptions arrive", flush=True)
for call in [(bound.echo, 1.0, True, "a"), (bound.echo, 1 << 40, True, "a"), (bound.echo, "1", True, "a"),
             (bound.echo, 1, "a", "a"), (bound.echo, 1, True, 1), (bound.fail, -1), (bound.scale, None, 1), (bound.scale, x),
             (bound.scale, x, "1"), (bound.all, "ab", None), (bound.all, [1], None), (bound.nothing, 1)]:
    assert error_of(*call)[0] == "TypeError", (call, error_of(*call))
assert error_of(bound.scale, x, factor=1)[0] == "TypeError"
print("bound")
)PYTHON";

TEST(LightHeaders, BindFunctionsAsPybind11Does) {
  if (!sandbox::run_process({"ninja", "--version"}).succeeded()) GTEST_SKIP() << "no ninja to build with";
  const judge::Python python = judge::find_python(judge::PythonLibrary::kTorch);
  if (python.program.string().find(' ') != std::string::npos)
    GTEST_SKIP() << "skipped: PyTorch cannot link extensions from a folder with a space in its name";
  const base::TemporaryFolder folder;
  write_light_headers(folder / "headers");
  write_answer_headers(folder / "own", kBoundFunctions, python);
  base::write_file_atomic(folder / "answer.py", kBoundFunctions);
  std::filesystem::create_directory(folder / "build");
  const std::string headers =
      fmt::format("CPATH={}:{}", (folder / "headers").string(), (folder / "own").string());
  // As in the judge's processes, the user's choice of a compiler is not there: one that links libstdc++ statically makes
  // extensions that crash where they print a number, with PyTorch's own headers as well.
  const sandbox::ProcessResult ran = sandbox::run_process(
      {"env", "-u", "CC", "-u", "CXX", headers, python.program.string(), "-I", "-B", "-X", "faulthandler",
       (folder / "answer.py").string(), (folder / "build").string()},
      {.time_limit = std::chrono::minutes(5)});
  EXPECT_TRUE(ran.succeeded() && ran.output.ends_with("bound\n"))
      << "exit status " << ran.exit_status << ", signal " << ran.signal << "\n"
      << ran.output;
}

}  // namespace
}  // namespace cuset::benchmarks
