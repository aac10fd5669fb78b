list(APPEND GYM_FAMILIES
  arg_reductions/column_argmax
  arg_reductions/full_argmax
  arg_reductions/row_argmax
  arg_reductions/row_argmin)
