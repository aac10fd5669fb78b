list(APPEND GYM_FAMILIES
  indexing/element_gather
  indexing/histogram
  indexing/one_hot
  indexing/row_gather
  indexing/scatter_add
  indexing/scatter_permutation)
