list(APPEND GYM_FAMILIES
  normalisation/batch_norm
  normalisation/batch_norm_inference
  normalisation/group_norm
  normalisation/instance_norm
  normalisation/l2_normalise
  normalisation/layer_norm
  normalisation/min_max_scale
  normalisation/rms_norm)
