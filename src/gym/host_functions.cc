#include <fmt/format.h>

#include "gym/host_code.h"

namespace cuset::gym {
namespace {

using Files = ProgramForm::Files;
using Memory = ProgramForm::Memory;
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

}  // namespace cuset::gym
