list(APPEND GYM_FAMILIES
  products/batched_matrix_vector
  products/batched_product
  products/diagonal_product
  products/gram_matrix
  products/linear_layer
  products/matrix_product
  products/matrix_product_a_bt
  products/matrix_product_at_b
  products/matrix_vector
  products/outer_update
  products/triangular_product
  products/vector_matrix)
