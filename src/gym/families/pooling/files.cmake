list(APPEND GYM_FAMILIES
  pooling/avg_pool_1d
  pooling/avg_pool_2d
  pooling/global_average_pool
  pooling/max_pool_1d
  pooling/max_pool_2d
  pooling/pool_3d)
