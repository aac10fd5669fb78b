#include "verify/tasks/input_script.h"

#include <gtest/gtest.h>

namespace cuset {
namespace {

TEST(InputScript, Runs) {}

}  // namespace
}  // namespace cuset
