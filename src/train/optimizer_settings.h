// The constants of AdamW (train/optimizer.h). Free of LibTorch headers.
#pragma once

namespace cuset::train {

struct OptimizerSettings {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  double lora_plus_ratio =
      1;  // LoRA+ (Hayou et al., 2024): matrices B learn with this multiple of the learning rate
};

}  // namespace cuset::train
