list(APPEND GYM_FAMILIES
  convolution/conv_1d
  convolution/conv_2d
  convolution/conv_3d
  convolution/conv_transpose_1d
  convolution/depthwise_conv_2d
  convolution/pointwise_conv)
