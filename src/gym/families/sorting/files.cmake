list(APPEND GYM_FAMILIES
  sorting/sort_rows
  sorting/sort_rows_descending
  sorting/top_k_rows)
