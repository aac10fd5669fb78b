list(APPEND GYM_FAMILIES
  broadcasting/channel_affine
  broadcasting/column_scale
  broadcasting/masked_fill
  broadcasting/outer
  broadcasting/row_bias)
