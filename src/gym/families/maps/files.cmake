list(APPEND GYM_FAMILIES
  maps/saxpy)
