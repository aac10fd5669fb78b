list(APPEND GYM_FAMILIES
  softmax/causal_softmax
  softmax/log_softmax_rows
  softmax/scaled_softmax
  softmax/softmax_columns
  softmax/softmax_rows)
