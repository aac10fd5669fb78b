#include "gym/host_code.h"

#include <fmt/format.h>

#include "gym/literal.h"

namespace cuset {
namespace {

using Constants = ProgramForm::Constants;
using Files = ProgramForm::Files;
using Checks = ProgramForm::Checks;

class MainWriter {
 public:
  explicit MainWriter(const HostContext& context)
      : task_(context.task), solution_(context.solution), form_(context.form), names_(context.names) {}

  std::string write() {
    line("int main() {{");
    declare_numbers();
    for (const GymArray& input : task_.draft.inputs) read(input);
    allocate();
    for (size_t k = 0; k < solution_.kernels.size(); ++k) launch(k);
    if (form_.checks == Checks::kLastError) line("  if (cudaGetLastError() != cudaSuccess) return 1;");
    if (form_.synchronise) call("cudaDeviceSynchronize()");
    for (const GymArray& output : task_.draft.outputs) write_back(output);
    if (form_.frees)
      for (const auto& [key, variable] : names_.device) call(fmt::format("cudaFree({})", variable));
    line("  return 0;");
    line("}}");
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void call(const std::string& expression) {
    if (form_.checks == Checks::kMacro)
      line("  CHECK({});", expression);
    else
      line("  {};", expression);
  }

  void declare_numbers() {
    if (form_.sizes == Constants::kArguments)
      for (const GymSize& size : task_.draft.sizes)
        line("  const int {} = {};", names_.code.name_of(size.key), size.value);
    if (form_.scalars == Constants::kArguments)
      for (const GymScalar& scalar : task_.draft.scalars)
        line("  const {0} {1} = {2};", scalar_type(task_.draft), names_.code.name_of(scalar.key),
             literal(scalar.value, scalar_type(task_.draft), false));
  }

  std::string count(const GymArray& array) const {
    std::string product;
    for (const std::string& side : array.sides) {
      if (!product.empty()) product += " * ";
      product += names_.code.has_name(side) ? names_.code.name_of(side) : side;
    }
    return product.empty() ? "1" : product;
  }

  std::string bytes(const GymArray& array) const {
    return fmt::format("{}.size() * sizeof({})", names_.host.at(array.key), cpp_type(array.type));
  }

  void read(const GymArray& input) {
    const std::string& host = names_.host.at(input.key);
    const std::string path = fmt::format("\"data/{}.bin\"", task_.words.name_of(input.key));
    const std::string_view type = cpp_type(input.type);
    if (form_.files == Files::kHelpers) {
      line("  std::vector<{}> {} = read_file<{}>({}, {});", type, host, type, path, count(input));
      return;
    }
    line("  std::vector<{}> {}({});", type, host, count(input));
    if (form_.files == Files::kStream) {
      line("  std::ifstream({}, std::ios::binary).read(reinterpret_cast<char*>({}.data()), {});", path, host,
           bytes(input));
      return;
    }
    line("  FILE* {0}_file = fopen({1}, \"rb\");", host, path);
    line("  if (!{0}_file || fread({0}.data(), sizeof({1}), {0}.size(), {0}_file) != {0}.size()) return 1;",
         host, type);
    line("  fclose({}_file);", host);
  }

  void allocate() {
    for (const std::vector<GymArray>* arrays : {&task_.draft.inputs, &task_.draft.outputs})
      for (const GymArray& array : *arrays) {
        const std::string& device = names_.device.at(array.key);
        line("  {}* {};", cpp_type(array.type), device);
        const std::string size = fmt::format("{} * sizeof({})", count(array), cpp_type(array.type));
        call(fmt::format("cudaMalloc(&{}, {})", device, size));
        if (arrays == &task_.draft.inputs)
          call(fmt::format("cudaMemcpy({}, {}.data(), {}, cudaMemcpyHostToDevice)", device,
                           names_.host.at(array.key), size));
        else if (is_zeroed(array.key))
          call(fmt::format("cudaMemset({}, 0, {})", device, size));
      }
    for (const GymScratch& scratch : solution_.scratch) {
      const std::string& device = names_.device.at(scratch.key);
      const std::string size =
          fmt::format("({}) * sizeof({})", names_.code.apply(scratch.count), cpp_type(scratch.type));
      line("  {}* {};", cpp_type(scratch.type), device);
      call(fmt::format("cudaMalloc(&{}, {})", device, size));
      if (scratch.zeroed) call(fmt::format("cudaMemset({}, 0, {})", device, size));
    }
  }

  bool is_zeroed(const std::string& key) const {
    return std::find(solution_.zeroed.begin(), solution_.zeroed.end(), key) != solution_.zeroed.end();
  }

  void launch(size_t number) {
    const GymKernel& kernel = solution_.kernels[number];
    std::string grid = names_.code.apply(kernel.grid);
    std::string block = names_.code.apply(kernel.block);
    if (form_.named_launch) {
      const std::string grid_name = names_.scope.take("grid");
      const std::string block_name = names_.scope.take("block_dim");
      line("  dim3 {} = {};", grid_name, grid);
      line("  dim3 {} = {};", block_name, block);
      grid = grid_name;
      block = block_name;
    }
    std::string arguments;
    const auto add = [&](const std::string& argument) {
      arguments += (arguments.empty() ? "" : ", ") + argument;
    };
    for (const std::string& array : kernel.arrays) add(names_.device.at(array));
    if (form_.sizes == Constants::kArguments)
      for (const std::string& size : kernel.sizes) add(names_.code.name_of(size));
    if (form_.scalars == Constants::kArguments)
      for (const std::string& scalar : kernel.scalars) add(names_.code.name_of(scalar));
    const std::string shared =
        kernel.shared_bytes.empty() ? "" : ", " + names_.code.apply(kernel.shared_bytes);
    line("  {}<<<{}, {}{}>>>({});", names_.kernels[number], grid, block, shared, arguments);
  }

  void write_back(const GymArray& output) {
    const std::string& host = names_.host.at(output.key);
    const std::string path = fmt::format("\"data/{}.bin\"", task_.words.name_of(output.key));
    const std::string_view type = cpp_type(output.type);
    line("  std::vector<{}> {}({});", type, host, count(output));
    call(fmt::format("cudaMemcpy({}.data(), {}, {}, cudaMemcpyDeviceToHost)", host,
                     names_.device.at(output.key), bytes(output)));
    if (form_.files == Files::kHelpers) {
      line("  write_file({}, {});", path, host);
    } else if (form_.files == Files::kStream) {
      line("  std::ofstream({}, std::ios::binary).write(reinterpret_cast<char*>({}.data()), {});", path, host,
           bytes(output));
    } else {
      line("  FILE* {0}_file = fopen({1}, \"wb\");", host, path);
      line("  fwrite({0}.data(), sizeof({1}), {0}.size(), {0}_file);", host, type);
      line("  fclose({}_file);", host);
    }
  }

  const GymTask& task_;
  const GymSolution& solution_;
  const ProgramForm& form_;
  ProgramNames& names_;
  std::string text_;
};

}  // namespace

std::vector<std::string> host_headers(const ProgramForm& form) {
  std::vector<std::string> headers = {form.files == Files::kStream ? "fstream" : "cstdio", "vector"};
  if (form.checks == Checks::kMacro || form.files == Files::kHelpers) headers.push_back("cstdlib");
  return headers;
}

std::string host_functions(const HostContext& context) {
  std::string text;
  if (context.form.checks == Checks::kMacro)
    text += "#define CHECK(call) do { if ((call) != cudaSuccess) exit(1); } while (0)\n\n";
  if (context.form.files != Files::kHelpers) return text;
  if (!context.task.draft.inputs.empty())
    text +=
        "template <typename T>\n"
        "std::vector<T> read_file(const char* path, size_t count) {\n"
        "  std::vector<T> values(count);\n"
        "  FILE* file = fopen(path, \"rb\");\n"
        "  if (!file || fread(values.data(), sizeof(T), count, file) != count) exit(1);\n"
        "  fclose(file);\n"
        "  return values;\n"
        "}\n\n";
  text +=
      "template <typename T>\n"
      "void write_file(const char* path, const std::vector<T>& values) {\n"
      "  FILE* file = fopen(path, \"wb\");\n"
      "  fwrite(values.data(), sizeof(T), values.size(), file);\n"
      "  fclose(file);\n"
      "}\n\n";
  return text;
}

std::string main_function(const HostContext& context) { return MainWriter(context).write(); }

}  // namespace cuset
