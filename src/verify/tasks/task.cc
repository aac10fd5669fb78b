#include "verify/tasks/task.h"

#include <array>

namespace cuset {
namespace {

constexpr std::array<std::string_view, 4> kKindNames = {"program", "function", "tests", "module"};

}  // namespace

std::string_view name_of(AnswerKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

}  // namespace cuset
