list(APPEND GYM_FAMILIES
  losses/binary_cross_entropy
  losses/cross_entropy_labels
  losses/hinge_loss
  losses/kl_divergence
  losses/regression_loss
  losses/triplet_loss)
