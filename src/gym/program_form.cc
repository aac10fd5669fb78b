#include "gym/program_form.h"

namespace cuset {
namespace {

template <typename T>
T one_of(std::initializer_list<T> choices, RandomStream& stream) {
  return choices.begin()[stream.below(choices.size())];
}

}  // namespace

ProgramForm draw_program_form(RandomStream stream) {
  using Constants = ProgramForm::Constants;
  ProgramForm form;
  form.sizes = one_of({Constants::kArguments, Constants::kArguments, Constants::kArguments,
                       Constants::kDefine, Constants::kConstexpr, Constants::kConst},
                      stream);
  form.scalars =
      one_of({Constants::kArguments, Constants::kDefine, Constants::kConstexpr, Constants::kLiteral}, stream);
  form.constants =
      one_of({Constants::kDefine, Constants::kConstexpr, Constants::kConst, Constants::kLiteral}, stream);
  form.files =
      one_of({ProgramForm::Files::kStdio, ProgramForm::Files::kHelpers, ProgramForm::Files::kStream}, stream);
  form.checks = one_of(
      {ProgramForm::Checks::kNone, ProgramForm::Checks::kMacro, ProgramForm::Checks::kLastError}, stream);
  form.restrict_pointers = stream.below(3) == 0;
  form.named_launch = stream.below(2) == 0;
  form.synchronise = stream.below(2) == 0;
  form.frees = stream.below(5) != 0;
  form.wide_indent = stream.below(3) == 0;
  return form;
}

}  // namespace cuset
