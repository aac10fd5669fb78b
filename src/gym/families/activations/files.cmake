list(APPEND GYM_FAMILIES
  activations/gated_unit
  activations/gelu
  activations/hard_activation
  activations/mish
  activations/prelu_channels
  activations/rectifier
  activations/silu
  activations/softplus
  activations/squash)
