list(APPEND GYM_FAMILIES
  distances/cosine_rows
  distances/nearest_centroid
  distances/pairwise_distance)
