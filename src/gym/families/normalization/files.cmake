list(APPEND GYM_FAMILIES
  normalization/batch_norm
  normalization/batch_norm_inference
  normalization/group_norm
  normalization/instance_norm
  normalization/l2_normalize
  normalization/layer_norm
  normalization/min_max_scale
  normalization/rms_norm)
