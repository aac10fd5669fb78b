// cuSPARSE under the name of its second interface.
#pragma once

#include "cusparse.h"
