#include <gtest/gtest.h>

#include "verify/readers/task_reader.h"

namespace cuset {
namespace {

TEST(CudaBench, Placeholder) {}

}  // namespace
}  // namespace cuset
