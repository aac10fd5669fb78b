#include "gym/program_form.h"

#include "gym/words/choice.h"

namespace cuset::gym {

ProgramForm draw_program_form(base::RandomStream stream) {
  using Constants = ProgramForm::Constants;
  using Memory = ProgramForm::Memory;
  using Files = ProgramForm::Files;
  using Checks = ProgramForm::Checks;
  using Comments = ProgramForm::Comments;
  ProgramForm form;
  form.sizes = weighted<Constants>({{Constants::kArguments, 5},
                                    {Constants::kDefine, 2},
                                    {Constants::kConstexpr, 2},
                                    {Constants::kConst, 1}},
                                   stream);
  form.scalars = weighted<Constants>({{Constants::kArguments, 3},
                                      {Constants::kDefine, 1},
                                      {Constants::kConstexpr, 1},
                                      {Constants::kLiteral, 2}},
                                     stream);
  form.constants = weighted<Constants>(
      {{Constants::kDefine, 3}, {Constants::kConstexpr, 3}, {Constants::kConst, 1}, {Constants::kLiteral, 3}},
      stream);
  form.memory = weighted<Memory>({{Memory::kVector, 10},
                                  {Memory::kMalloc, 4},
                                  {Memory::kNew, 2},
                                  {Memory::kPinned, 1},
                                  {Memory::kManaged, 2}},
                                 stream);
  form.files = weighted<Files>({{Files::kStdio, 3}, {Files::kHelpers, 5}, {Files::kStream, 4}}, stream);
  form.checks = weighted<Checks>(
      {{Checks::kNone, 5}, {Checks::kMacro, 2}, {Checks::kFunction, 1}, {Checks::kLastError, 2}}, stream);
  form.comments =
      weighted<Comments>({{Comments::kNone, 5}, {Comments::kKernels, 3}, {Comments::kSteps, 2}}, stream);
  form.check_name = form.checks == Checks::kFunction
                        ? one_of<std::string_view>({"check", "checkCuda", "cuda_check", "ok"}, stream)
                        : one_of<std::string_view>({"CHECK", "CUDA_CHECK", "CK", "CHECK_CUDA"}, stream);
  form.long_check = stream.below(3) == 0;
  form.restrict_pointers = stream.below(3) == 0;
  form.named_launch = stream.below(2) == 0;
  form.named_bytes = stream.below(2) == 0;
  form.array_by_array = stream.below(2) == 0;
  form.cast_pointers = stream.below(5) == 0;
  form.synchronize = form.memory == Memory::kManaged || stream.below(2) == 0;
  form.frees = stream.below(4) != 0;
  form.returns = stream.below(4) != 0;
  form.kernels_first = stream.below(3) != 0;
  form.braces_below = stream.below(8) == 0;
  form.wide_indent = stream.below(3) == 0;
  return form;
}

}  // namespace cuset::gym
