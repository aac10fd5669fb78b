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
  form.sizes = weighted<Constants>(stream, {{Constants::kArguments, 5},
                                            {Constants::kDefine, 2},
                                            {Constants::kConstexpr, 2},
                                            {Constants::kConst, 1}});
  form.scalars = weighted<Constants>(stream, {{Constants::kArguments, 3},
                                              {Constants::kDefine, 1},
                                              {Constants::kConstexpr, 1},
                                              {Constants::kLiteral, 2}});
  form.constants = weighted<Constants>(stream, {{Constants::kDefine, 3},
                                                {Constants::kConstexpr, 3},
                                                {Constants::kConst, 1},
                                                {Constants::kLiteral, 3}});
  form.memory = weighted<Memory>(stream, {{Memory::kVector, 10},
                                          {Memory::kMalloc, 4},
                                          {Memory::kNew, 2},
                                          {Memory::kPinned, 1},
                                          {Memory::kManaged, 2}});
  form.files = weighted<Files>(stream, {{Files::kStdio, 3}, {Files::kHelpers, 5}, {Files::kStream, 4}});
  form.checks = weighted<Checks>(
      stream, {{Checks::kNone, 5}, {Checks::kMacro, 2}, {Checks::kFunction, 1}, {Checks::kLastError, 2}});
  form.comments =
      weighted<Comments>(stream, {{Comments::kNone, 5}, {Comments::kKernels, 3}, {Comments::kSteps, 2}});
  form.check_name = form.checks == Checks::kFunction
                        ? one_of<std::string_view>(stream, {"check", "checkCuda", "cuda_check", "ok"})
                        : one_of<std::string_view>(stream, {"CHECK", "CUDA_CHECK", "CK", "CHECK_CUDA"});
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
