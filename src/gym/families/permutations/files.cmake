list(APPEND GYM_FAMILIES
  permutations/concatenate
  permutations/interleave
  permutations/pad2d
  permutations/permute3d
  permutations/reverse
  permutations/roll
  permutations/strided_slice
  permutations/transpose2d
  permutations/triangular_mask)
