#include "gym/host_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gym/words/choice.h"
#include "gym/words/literal.h"

namespace cuset::gym {
namespace {

using Constants = ProgramForm::Constants;
using Memory = ProgramForm::Memory;
using Files = ProgramForm::Files;
using Checks = ProgramForm::Checks;

std::string check_macro(const ProgramForm& form) {
  if (!form.long_check)
    return fmt::format("#define {}(x) do {{ if ((x) != cudaSuccess) exit(1); }} while (0)\n\n",
                       form.check_name);
  return fmt::format(
      "#define {}(call) \\\n"
      "  do {{ \\\n"
      "    cudaError_t err = (call); \\\n"
      "    if (err != cudaSuccess) {{ \\\n"
      "      fprintf(stderr, \"%s\\n\", cudaGetErrorString(err)); \\\n"
      "      exit(1); \\\n"
      "    }} \\\n"
      "  }} while (0)\n\n",
      form.check_name);
}

std::string check_function(const ProgramForm& form) {
  return fmt::format(
      "static void {}(cudaError_t status) {{\n"
      "  if (status != cudaSuccess) {}exit(1);\n"
      "}}\n\n",
      form.check_name, form.long_check ? "printf(\"%s\\n\", cudaGetErrorString(status)), " : "");
}

constexpr std::string_view kReadVector =
    "template <typename T>\n"
    "std::vector<T> $host_load(const char* path, size_t count) {\n"
    "  std::vector<T> values(count);\n"
    "  FILE* file = fopen(path, \"rb\");\n"
    "  if (!file || fread(values.data(), sizeof(T), count, file) != count) exit(1);\n"
    "  fclose(file);\n"
    "  return values;\n"
    "}\n\n";
constexpr std::string_view kWriteVector =
    "template <typename T>\n"
    "void $host_save(const char* path, const std::vector<T>& values) {\n"
    "  FILE* file = fopen(path, \"wb\");\n"
    "  fwrite(values.data(), sizeof(T), values.size(), file);\n"
    "  fclose(file);\n"
    "}\n\n";
constexpr std::string_view kReadBytes =
    "void $host_load(const char* path, void* data, size_t bytes) {\n"
    "  FILE* f = fopen(path, \"rb\");\n"
    "  if (!f || fread(data, 1, bytes, f) != bytes) exit(1);\n"
    "  fclose(f);\n"
    "}\n\n";
constexpr std::string_view kWriteBytes =
    "void $host_save(const char* path, const void* data, size_t bytes) {\n"
    "  FILE* f = fopen(path, \"wb\");\n"
    "  fwrite(data, 1, bytes, f);\n"
    "  fclose(f);\n"
    "}\n\n";

class MainWriter {
 public:
  MainWriter(const HostContext& context, const base::RandomStream& stream)
      : task_(context.task),
        solution_(context.solution),
        form_(context.form),
        names_(context.names),
        stream_(stream) {}

  std::string write() {
    line("int main() {{");
    declare_numbers();
    declare_bytes();
    provide_inputs();
    step("results");
    for (const GymArray& output : task_.draft.outputs) allocate_output(output);
    for (const GymScratch& scratch : solution_.scratch) allocate_scratch(scratch);
    step("run");
    for (size_t k = 0; k < solution_.kernels.size(); ++k) launch(k);
    if (form_.checks == Checks::kLastError) line("  if (cudaGetLastError() != cudaSuccess) return 1;");
    if (form_.synchronize) call("cudaDeviceSynchronize()");
    step("copy back and write");
    for (const GymArray& output : task_.draft.outputs) write_back(output);
    if (form_.frees) free_memory();
    if (form_.returns) line("  return 0;");
    line("}}");
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void step(std::string_view what) {
    if (form_.comments == ProgramForm::Comments::kSteps) line("  // {}", what);
  }

  // A call of the CUDA runtime.
  void call(const std::string& expression) {
    if (form_.checks == Checks::kMacro || form_.checks == Checks::kFunction)
      line("  {}({});", form_.check_name, expression);
    else
      line("  {};", expression);
  }

  bool managed() const { return form_.memory == Memory::kManaged; }

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

  static std::string times_size(const std::string& count, tasks::NumberType type) {
    std::string size = fmt::format("sizeof({})", cpp_type(type));
    if (count == "1") return size;
    const bool is_sum = count.find_first_of("+-") != std::string::npos;
    return is_sum ? fmt::format("({}) * {}", count, size) : fmt::format("{} * {}", count, size);
  }

  // The bytes of an array: a variable where it has one, else the product.
  std::string bytes(const GymArray& array) const {
    const std::string product = times_size(count(array), array.type);
    const auto found = byte_variables_.find(product);
    return found == byte_variables_.end() ? product : found->second;
  }

  void declare_bytes() {
    if (!form_.named_bytes) return;
    for (const std::vector<GymArray>* arrays : {&task_.draft.inputs, &task_.draft.outputs})
      for (const GymArray& array : *arrays) {
        const std::string product = times_size(count(array), array.type);
        if (array.sides.empty() || byte_variables_.contains(product)) continue;
        const std::string wanted =
            byte_variables_.empty()
                ? std::string(one_of<std::string_view>(stream_, {"bytes", "nbytes", "size_bytes"}))
                : names_.code.name_of(array.key) + "_bytes";
        const std::string variable = names_.scope.take(wanted);
        line("  const size_t {} = {};", variable, product);
        byte_variables_[product] = variable;
      }
  }

  std::string path_of(const GymArray& array) const {
    return fmt::format("\"data/{}.bin\"", task_.words.name_of(array.key));
  }

  // The pointer to an array's first number on the host.
  std::string pointer(const GymArray& array) const {
    const std::string& host = names_.host.at(array.key);
    return form_.memory == Memory::kVector ? host + ".data()" : host;
  }

  void provide_inputs() {
    step("inputs");
    for (const GymArray& input : task_.draft.inputs) {
      if (managed()) allocate(cpp_type(input.type), names_.device.at(input.key), bytes(input));
      read(input);
      if (form_.array_by_array) upload(input);
    }
    if (!form_.array_by_array)
      for (const GymArray& input : task_.draft.inputs) upload(input);
  }

  void allocate_host(const GymArray& array) {
    const std::string& host = names_.host.at(array.key);
    const std::string_view type = cpp_type(array.type);
    switch (form_.memory) {
      case Memory::kVector:
        line("  std::vector<{}> {}({});", type, host, count(array));
        break;
      case Memory::kMalloc:
        line("  {0}* {1} = ({0}*)malloc({2});", type, host, bytes(array));
        break;
      case Memory::kNew:
        line("  {0}* {1} = new {0}[{2}];", type, host, count(array));
        break;
      case Memory::kPinned:
        line("  {}* {};", type, host);
        call(fmt::format("cudaMallocHost({}&{}, {})", form_.cast_pointers ? "(void**)" : "", host,
                         bytes(array)));
        break;
      case Memory::kManaged:
        break;
    }
  }

  void read(const GymArray& input) {
    if (form_.files == Files::kHelpers && form_.memory == Memory::kVector) {
      const std::string value = fmt::format("{}<{}>({}, {})", names_.code.name_of("host_load"),
                                            cpp_type(input.type), path_of(input), count(input));
      line("  auto {} = {};", names_.host.at(input.key), value);
      return;
    }
    allocate_host(input);
    if (form_.files == Files::kHelpers) {
      line("  {}({}, {}, {});", names_.code.name_of("host_load"), path_of(input), pointer(input),
           bytes(input));
    } else if (form_.files == Files::kStream) {
      line("  std::ifstream({}, std::ios::binary).read((char*){}, {});", path_of(input), pointer(input),
           bytes(input));
    } else {
      open_file(path_of(input), "rb");
      line("  if (!{} || fread({}, sizeof({}), {}, {}) != {}) return 1;", file_, pointer(input),
           cpp_type(input.type), count(input), file_, count(input));
      line("  fclose({});", file_);
    }
  }

  // One variable serves all files.
  void open_file(const std::string& path, std::string_view mode) {
    const bool is_first = file_.empty();
    if (is_first)
      file_ = names_.scope.take(std::string(one_of<std::string_view>(stream_, {"f", "fp", "file"})));
    line("  {}{} = fopen({}, \"{}\");", is_first ? "FILE* " : "", file_, path, mode);
  }

  void allocate(std::string_view type, const std::string& device, const std::string& size) {
    line("  {}* {};", type, device);
    call(fmt::format("{}({}&{}, {})", managed() ? "cudaMallocManaged" : "cudaMalloc",
                     form_.cast_pointers ? "(void**)" : "", device, size));
  }

  void upload(const GymArray& input) {
    if (managed()) return;
    const std::string& device = names_.device.at(input.key);
    allocate(cpp_type(input.type), device, bytes(input));
    call(fmt::format("cudaMemcpy({}, {}, {}, cudaMemcpyHostToDevice)", device, pointer(input), bytes(input)));
  }

  void allocate_output(const GymArray& output) {
    const std::string& device = names_.device.at(output.key);
    allocate(cpp_type(output.type), device, bytes(output));
    if (std::find(solution_.zeroed.begin(), solution_.zeroed.end(), output.key) != solution_.zeroed.end())
      call(fmt::format("cudaMemset({}, 0, {})", device, bytes(output)));
  }

  void allocate_scratch(const GymScratch& scratch) {
    const std::string& device = names_.device.at(scratch.key);
    const std::string size = times_size(names_.code.apply(scratch.count), scratch.type);
    line("  {}* {};", cpp_type(scratch.type), device);
    call(fmt::format("cudaMalloc(&{}, {})", device, size));
    if (scratch.zeroed) call(fmt::format("cudaMemset({}, 0, {})", device, size));
  }

  // `expression` as a variable of main; a dim3 of several numbers, or of one.
  std::string named(const std::string& expression, std::string wanted) {
    const std::string variable = names_.scope.take(std::move(wanted));
    if (expression.starts_with("dim3(") && expression.ends_with(")"))
      line("  dim3 {}{};", variable, expression.substr(4));
    else if (stream_.below(2) == 0)
      line("  dim3 {}({});", variable, expression);
    else
      line("  const int {} = {};", variable, expression);
    return variable;
  }

  void launch(size_t number) {
    const GymKernel& kernel = solution_.kernels[number];
    std::string grid = names_.code.apply(kernel.grid);
    std::string block = names_.code.apply(kernel.block);
    const bool is_plain = block.find_first_of(" (") == std::string::npos;  // a number or a constant
    if (form_.named_launch) {
      grid = named(grid, std::string(one_of<std::string_view>(
                             stream_, {"grid", "blocks", "grid_size", "num_blocks"})));
      if (!is_plain)
        block = named(block, std::string(one_of<std::string_view>(stream_, {"block_dim", "threads", "tpb"})));
    }
    const std::string shared =
        kernel.shared_bytes.empty() ? "" : ", " + names_.code.apply(kernel.shared_bytes);
    line("  {}<<<{}, {}{}>>>({});", names_.kernels[number], grid, block, shared, arguments_of(kernel));
  }

  std::string arguments_of(const GymKernel& kernel) const {
    std::vector<std::string> arguments;
    for (const std::string& array : kernel.arrays) arguments.push_back(names_.device.at(array));
    if (form_.sizes == Constants::kArguments)
      for (const std::string& size : kernel.sizes) arguments.push_back(names_.code.name_of(size));
    if (form_.scalars == Constants::kArguments)
      for (const std::string& scalar : kernel.scalars) arguments.push_back(names_.code.name_of(scalar));
    return fmt::format("{}", fmt::join(arguments, ", "));
  }

  void write_back(const GymArray& output) {
    allocate_host(output);
    if (!managed())
      call(fmt::format("cudaMemcpy({}, {}, {}, cudaMemcpyDeviceToHost)", pointer(output),
                       names_.device.at(output.key), bytes(output)));
    if (form_.files == Files::kHelpers && form_.memory == Memory::kVector) {
      line("  {}({}, {});", names_.code.name_of("host_save"), path_of(output), names_.host.at(output.key));
    } else if (form_.files == Files::kHelpers) {
      line("  {}({}, {}, {});", names_.code.name_of("host_save"), path_of(output), pointer(output),
           bytes(output));
    } else if (form_.files == Files::kStream) {
      line("  std::ofstream({}, std::ios::binary).write((char*){}, {});", path_of(output), pointer(output),
           bytes(output));
    } else {
      open_file(path_of(output), "wb");
      line("  fwrite({}, sizeof({}), {}, {});", pointer(output), cpp_type(output.type), count(output), file_);
      line("  fclose({});", file_);
    }
  }

  void free_memory() {
    step("free");
    for (const std::string& key : device_keys()) call(fmt::format("cudaFree({})", names_.device.at(key)));
    if (form_.memory == Memory::kVector || managed()) return;
    for (const std::vector<GymArray>* arrays : {&task_.draft.inputs, &task_.draft.outputs})
      for (const GymArray& array : *arrays) {
        const std::string& host = names_.host.at(array.key);
        if (form_.memory == Memory::kMalloc) line("  free({});", host);
        if (form_.memory == Memory::kNew) line("  delete[] {};", host);
        if (form_.memory == Memory::kPinned) call(fmt::format("cudaFreeHost({})", host));
      }
  }

  std::vector<std::string> device_keys() const {
    std::vector<std::string> keys;
    for (const GymArray& input : task_.draft.inputs) keys.push_back(input.key);
    for (const GymArray& output : task_.draft.outputs) keys.push_back(output.key);
    for (const GymScratch& scratch : solution_.scratch) keys.push_back(scratch.key);
    return keys;
  }

  const GymTask& task_;
  const GymSolution& solution_;
  const ProgramForm& form_;
  ProgramNames& names_;
  base::RandomStream stream_;
  std::string file_;                                   // the FILE* of main, once it is there
  std::map<std::string, std::string> byte_variables_;  // product -> variable
  std::string text_;
};

}  // namespace

std::vector<std::string> host_headers(const ProgramForm& form) {
  std::vector<std::string> headers;
  if (form.files == Files::kStream) headers.push_back("fstream");
  if (form.files != Files::kStream || form.long_check) headers.push_back("cstdio");
  if (form.memory == Memory::kVector) headers.push_back("vector");
  const bool exits = form.checks == Checks::kMacro || form.checks == Checks::kFunction;
  if (exits || form.files == Files::kHelpers || form.memory == Memory::kMalloc) headers.push_back("cstdlib");
  return headers;
}

std::string host_functions(const HostContext& context) {
  const ProgramForm& form = context.form;
  std::string text;
  if (form.checks == Checks::kMacro) text += check_macro(form);
  if (form.checks == Checks::kFunction) text += check_function(form);
  if (form.files != Files::kHelpers) return text;
  const bool vectors = form.memory == Memory::kVector;
  if (!context.task.draft.inputs.empty()) text += vectors ? kReadVector : kReadBytes;
  text += vectors ? kWriteVector : kWriteBytes;
  return context.names.code.apply(text);
}

std::string main_function(const HostContext& context, const base::RandomStream& stream) {
  return MainWriter(context, stream).write();
}

}  // namespace cuset::gym
