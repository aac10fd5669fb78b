#include "gym/program_names.h"

#include <fmt/format.h>

#include <cmath>

#include "gym/words/choice.h"
#include "gym/words/literal.h"

namespace cuset::gym {
namespace {

using Constants = ProgramForm::Constants;

// How a constant declared in this way is spelled: BLOCK for macros, kBlock now and then for constexpr.
std::string constant_name(std::string name, Constants form, NameScope& scope, base::RandomStream& stream) {
  if (form == Constants::kDefine) return scope.take(upper(name));
  if (form == Constants::kConstexpr || form == Constants::kConst) {
    const uint64_t choice = stream.below(3);
    if (choice == 0) return scope.take(upper(name));
    if (choice == 1) return scope.take("k" + capitalized(name));
  }
  return scope.take(std::move(name));
}

void name_number(const std::string& key, const std::string& value, Constants form, ProgramNames& names,
                 base::RandomStream& stream) {
  names.code.set_value(key, value);
  NameScope probe = names.scope;
  const std::string spelled = probe.draw_local(key, stream);
  names.code.set_name(
      key, form == Constants::kLiteral ? value : constant_name(spelled, form, names.scope, stream));
}

std::string kernel_name(const GymTask& task, const GymSolution& solution, const GymKernel& kernel,
                        NameScope& scope, base::RandomStream& stream) {
  std::string name = task.family->name;
  if (kernel.key != "kernel") name += "_" + kernel.key;
  switch (stream.below(6)) {
    case 0:
      name += "_kernel";
      break;
    case 1:
      name = camel(name + "_kernel");
      break;
    case 2:
      name = camel(name);
      break;
    case 3:
      name += "_" + solution.style;
      break;
    case 4:
      name = "k_" + name;
      break;
    default:
      break;
  }
  return scope.take(name);
}

void name_locals(const GymSolution& solution, ProgramNames& names, base::RandomStream& stream) {
  std::string texts = solution.functions;
  for (const GymKernel& kernel : solution.kernels) texts += kernel.body;
  for (const std::string& key : keys_in(texts))
    if (!names.code.has_name(key)) names.code.set_name(key, names.scope.draw_local(key, stream));
}

// How main calls the two sides of an array, around the kernels' name for it.
struct PointerForm {
  std::string_view device;
  std::string_view host;
};

PointerForm draw_pointer_form(const ProgramForm& form, base::RandomStream& stream) {
  if (form.memory == ProgramForm::Memory::kManaged) return {"", ""};
  return one_of<PointerForm>(stream, {{"d_", "h_"},
                                      {"d_", "h_"},
                                      {"d_", ""},
                                      {"dev_", "host_"},
                                      {"_d", "_h"},
                                      {"gpu_", ""},
                                      {"_dev", "_host"},
                                      {"d_", "host_"}});
}

// "d_" goes in front, "_d" behind.
std::string with_affix(std::string_view affix, const std::string& name) {
  return affix.starts_with('_') ? fmt::format("{}{}", name, affix) : fmt::format("{}{}", affix, name);
}

}  // namespace

std::string_view scalar_type(const GymDraft& draft) {
  bool floating = false;
  for (const std::vector<GymArray>* arrays : {&draft.inputs, &draft.outputs})
    for (const GymArray& array : *arrays) {
      if (array.type == tasks::NumberType::kFloat64) return "double";
      floating = floating || tasks::is_floating(array.type);
    }
  for (const GymScalar& scalar : draft.scalars)
    floating = floating || scalar.value != std::floor(scalar.value);
  return floating ? "float" : "int";
}

ProgramNames draw_program_names(const GymTask& task, const GymSolution& solution, const ProgramForm& form,
                                const base::RandomStream& stream) {
  base::RandomStream draws = stream;
  const GymDraft& draft = task.draft;
  ProgramNames names;
  names.code.set_name(
      "T", std::string(cpp_type(draft.inputs.empty() ? draft.outputs[0].type : draft.inputs[0].type)));
  const PointerForm pointers = draw_pointer_form(form, draws);
  // Without an affix main's variable has the name of the kernels' parameter.
  const auto side = [&](std::string_view affix, const std::string& name) {
    return affix.empty() ? name : names.scope.take(with_affix(affix, name));
  };
  const auto name_pointer = [&](const std::string& key, std::string name) {
    names.device[key] = side(pointers.device, name);
    names.code.set_name(key, std::move(name));
  };
  const bool own_names = draws.below(5) == 0;  // else arrays are called as their files are
  for (const std::vector<GymArray>* arrays : {&draft.inputs, &draft.outputs})
    for (const GymArray& array : *arrays) {
      const bool is_output = arrays == &draft.outputs;
      const std::string name = own_names ? names.scope.draw_file(array.key, is_output, draws)
                                         : names.scope.take(task.words.name_of(array.key));
      names.host[array.key] = side(pointers.host, name);
      name_pointer(array.key, name);
    }
  for (const GymScratch& scratch : solution.scratch)
    name_pointer(scratch.key, names.scope.draw_local(scratch.key, draws));
  for (const GymSize& size : draft.sizes)
    name_number(size.key, std::to_string(size.value), form.sizes, names, draws);
  for (const GymScalar& scalar : draft.scalars)
    name_number(scalar.key, literal(scalar.value, scalar_type(draft), true), form.scalars, names, draws);
  for (const GymSize& constant : solution.constants)
    name_number(constant.key, literal(static_cast<double>(constant.value), "int", true), form.constants,
                names, draws);
  for (const GymKernel& kernel : solution.kernels)
    names.kernels.push_back(kernel_name(task, solution, kernel, names.scope, draws));
  name_locals(solution, names, draws);
  names.code.set_name("host_load", names.scope.draw_local("load", draws));
  names.code.set_name("host_save", names.scope.draw_local("save", draws));
  return names;
}

}  // namespace cuset::gym
