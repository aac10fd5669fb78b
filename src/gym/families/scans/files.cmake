list(APPEND GYM_FAMILIES
  scans/exclusive_prefix_sum_rows
  scans/linear_recurrence
  scans/moving_average
  scans/prefix_sum_rows
  scans/prefix_sum_vector
  scans/running_maximum)
