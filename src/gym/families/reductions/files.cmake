list(APPEND GYM_SOURCES
  solutions/cuda_number.cc
  solutions/full_fold.cc
  solutions/lane_work.cc)
list(APPEND GYM_FAMILIES
  reductions/column_max
  reductions/column_mean
  reductions/column_sum
  reductions/conditional_row_sum
  reductions/dot_product
  reductions/full_max
  reductions/full_sum
  reductions/middle_axis_sum
  reductions/root_mean_square
  reductions/row_l2_norm
  reductions/row_logsumexp
  reductions/row_max
  reductions/row_mean
  reductions/row_min
  reductions/row_product
  reductions/row_sum
  reductions/row_variance
  reductions/weighted_row_sum)
