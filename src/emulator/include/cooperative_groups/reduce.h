// Cooperative groups with reduce.
#pragma once

#include "cooperative_groups.h"
#include "cuset_emulator/cooperative_groups/reduce.h"
