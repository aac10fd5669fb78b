list(APPEND GYM_SOURCES
  families/optimizers/optimizer_step.cc)
list(APPEND GYM_FAMILIES
  optimizers/adagrad
  optimizers/adam
  optimizers/rmsprop
  optimizers/sgd_momentum)
