list(APPEND GYM_FAMILIES
  images/alpha_blend
  images/brightness_contrast
  images/filter3x3
  images/flip_rotate
  images/gamma_correction
  images/grayscale
  images/resize_bilinear
  images/resize_nearest
  images/sobel
  images/threshold_image)
