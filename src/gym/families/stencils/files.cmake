list(APPEND GYM_FAMILIES
  stencils/finite_difference
  stencils/heat_step
  stencils/jacobi2d
  stencils/stencil1d
  stencils/stencil3d)
