#include "reinforce/rollout.h"

#include "base/error.h"

namespace cuset::reinforce {

PromptOrder::PromptOrder(size_t prompts, uint64_t seed, FirstPass first)
    : prompts_(prompts), first_(first), stream_(seed, "prompts") {
  CUSET_CHECK(prompts > 0, "no prompts");
}

size_t PromptOrder::take() {
  const uint64_t draw = drawn();
  if (draw / prompts_ != pass_) {
    pass_ = draw / prompts_;
    order_ = stream_.child(pass_).permutation(prompts_);
  }
  seek(draw + 1);
  if (pass_ == 0 && first_ == FirstPass::kAsGiven) return draw;
  return order_[draw % prompts_];
}

}  // namespace cuset::reinforce
