#include "gym/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/host_code.h"
#include "gym/words/literal.h"

namespace cuset::gym {
namespace {

using Constants = ProgramForm::Constants;

bool uses_any(const std::string& text, const std::vector<std::string>& keys) {
  const std::vector<std::string> used = keys_in(text);
  return std::any_of(used.begin(), used.end(), [&](const std::string& key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  });
}

// What device functions use of the task must be known to the whole file. Programs with many arrays are kept
// short: one line reads a file, and nothing is checked, said or freed for each.
void fit_to_task(ProgramForm& form, const GymDraft& draft, const GymSolution& solution) {
  std::vector<std::string> sizes, scalars;
  for (const GymSize& size : draft.sizes) sizes.push_back(size.key);
  for (const GymScalar& scalar : draft.scalars) scalars.push_back(scalar.key);
  if (form.sizes == Constants::kArguments && uses_any(solution.functions, sizes))
    form.sizes = Constants::kConstexpr;
  if (form.scalars == Constants::kArguments && uses_any(solution.functions, scalars))
    form.scalars = Constants::kConstexpr;
  const size_t arrays = draft.inputs.size() + draft.outputs.size() + solution.scratch.size();
  if (arrays <= 3) return;
  form.files = ProgramForm::Files::kStream;
  if (form.memory != ProgramForm::Memory::kManaged) form.memory = ProgramForm::Memory::kVector;
  if (form.checks != ProgramForm::Checks::kNone) form.checks = ProgramForm::Checks::kLastError;
  form.comments = ProgramForm::Comments::kNone;
  form.cast_pointers = false;
  form.frees = false;
}

std::string include_lines(const GymTask& task, const GymSolution& solution, const ProgramForm& form) {
  std::vector<std::string> headers = {"cuda_runtime.h"};
  const auto add = [&](const std::string& header) {
    if (std::find(headers.begin(), headers.end(), header) == headers.end()) headers.push_back(header);
  };
  for (const std::vector<GymArray>* arrays : {&task.draft.inputs, &task.draft.outputs})
    for (const GymArray& array : *arrays) {
      if (array.type == tasks::NumberType::kFloat16) add("cuda_fp16.h");
      if (array.type == tasks::NumberType::kBfloat16) add("cuda_bf16.h");
    }
  for (const std::string& header : solution.headers) add(header);
  for (const std::string& header : host_headers(form)) add(header);
  std::string text;
  for (const std::string& header : headers) text += fmt::format("#include <{}>\n", header);
  return text + "\n";
}

std::string constant_line(Constants form, std::string_view type, const std::string& name,
                          const std::string& value) {
  switch (form) {
    case Constants::kDefine:
      return fmt::format("#define {} {}\n", name, value);
    case Constants::kConstexpr:
      return fmt::format("constexpr {} {} = {};\n", type, name, value);
    case Constants::kConst:
      return fmt::format("const {} {} = {};\n", type, name, value);
    default:
      return "";
  }
}

std::string constant_lines(const GymTask& task, const GymSolution& solution, const ProgramForm& form,
                           const Spelling& code) {
  std::string text;
  for (const GymSize& size : task.draft.sizes)
    text += constant_line(form.sizes, "int", code.name_of(size.key), std::to_string(size.value));
  const std::string_view type = scalar_type(task.draft);
  for (const GymScalar& scalar : task.draft.scalars)
    text += constant_line(form.scalars, type, code.name_of(scalar.key),
                          literal(scalar.value, type, form.scalars == Constants::kDefine));
  for (const GymSize& constant : solution.constants)
    text += constant_line(
        form.constants, "int", code.name_of(constant.key),
        literal(static_cast<double>(constant.value), "int", form.constants == Constants::kDefine));
  return text.empty() ? text : text + "\n";
}

// The C++ type behind a pointer parameter, const for inputs.
std::string pointee(const std::string& key, const GymTask& task, const GymSolution& solution) {
  for (const GymArray& array : task.draft.inputs)
    if (array.key == key) return fmt::format("const {}", cpp_type(array.type));
  for (const GymArray& array : task.draft.outputs)
    if (array.key == key) return std::string(cpp_type(array.type));
  for (const GymScratch& scratch : solution.scratch)
    if (scratch.key == key) return std::string(cpp_type(scratch.type));
  return "void";
}

std::string indented(const std::string& body) {
  std::string text;
  for (size_t begin = 0; begin < body.size();) {
    const size_t end = std::min(body.find('\n', begin), body.size());
    if (end > begin) text += "  " + body.substr(begin, end - begin);
    text += "\n";
    begin = end + 1;
  }
  return text;
}

std::string kernel_text(const GymTask& task, const GymSolution& solution, const ProgramForm& form,
                        const ProgramNames& names, size_t number) {
  const GymKernel& kernel = solution.kernels[number];
  std::string parameters;
  const auto add = [&](const std::string& parameter) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
  };
  for (const std::string& array : kernel.arrays)
    add(fmt::format("{}*{} {}", pointee(array, task, solution), form.restrict_pointers ? " __restrict__" : "",
                    names.code.name_of(array)));
  if (form.sizes == Constants::kArguments)
    for (const std::string& size : kernel.sizes) add("int " + names.code.name_of(size));
  if (form.scalars == Constants::kArguments)
    for (const std::string& scalar : kernel.scalars)
      add(fmt::format("{} {}", scalar_type(task.draft), names.code.name_of(scalar)));
  std::string comment;
  if (form.comments != ProgramForm::Comments::kNone && number == 0 && !solution.reasoning.mapping.empty())
    comment = fmt::format("// {}\n", names.code.apply(solution.reasoning.mapping));
  return fmt::format("{}__global__ void {}({}) {{\n{}}}\n\n", comment, names.kernels[number], parameters,
                     indented(names.code.apply(kernel.body)));
}

std::string function_lines(const GymSolution& solution, const Spelling& code) {
  if (solution.functions.empty()) return "";
  const std::string text = code.apply(solution.functions);
  return text + (text.ends_with('\n') ? "\n" : "\n\n");
}

// The opening brace of each function on a line of its own.
std::string with_braces_below(const std::string& text) {
  std::string result;
  bool at_start = true;
  bool is_function = false;  // the line begins at the margin with a letter, as definitions do
  for (size_t i = 0; i < text.size(); ++i) {
    if (at_start) is_function = text[i] != ' ' && text[i] != '#' && text[i] != '}' && text[i] != '\\';
    at_start = text[i] == '\n';
    if (is_function && text.compare(i, 4, ") {\n") == 0) {
      result += ")\n{";
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

// Twice the indentation of every line.
std::string widened(const std::string& text) {
  std::string result;
  bool leading = true;
  for (const char c : text) {
    leading = leading && c == ' ';
    if (leading) result += ' ';
    result += c;
    if (c == '\n') leading = true;
  }
  return result;
}

}  // namespace

GymProgram write_program(const GymTask& task, const GymSolution& solution, const base::RandomStream& stream) {
  ProgramForm form = draw_program_form(stream.child("form"));
  fit_to_task(form, task.draft, solution);
  ProgramNames names = draw_program_names(task, solution, form, stream.child("names"));
  const HostContext context = {task, solution, form, names};
  std::string device = function_lines(solution, names.code);
  for (size_t k = 0; k < solution.kernels.size(); ++k) device += kernel_text(task, solution, form, names, k);
  const std::string host = host_functions(context);
  std::string text = include_lines(task, solution, form) + constant_lines(task, solution, form, names.code);
  text += form.kernels_first ? device + host : host + device;
  text += main_function(context, stream.child("host"));
  if (form.braces_below) text = with_braces_below(text);
  return {form.wide_indent ? widened(text) : text, device, names.scope.taken(), std::move(names.code)};
}

}  // namespace cuset::gym
