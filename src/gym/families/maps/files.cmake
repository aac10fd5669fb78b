list(APPEND GYM_SOURCES
  families/maps/expression_tree.cc
  solutions/elementwise.cc
  solutions/formula.cc
  solutions/map.cc
  solutions/plane.cc
  solutions/stencil.cc)
list(APPEND GYM_FAMILIES
  maps/affine
  maps/binary_tree
  maps/clamp
  maps/complex_multiply
  maps/dequantize
  maps/half_convert
  maps/integer_mix
  maps/polynomial
  maps/quantize
  maps/saxpy
  maps/ternary_tree
  maps/unary_tree)
list(APPEND GYM_TESTS solutions/formula_test.cc)
