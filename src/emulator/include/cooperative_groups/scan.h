// Cooperative groups with scan.
#pragma once

#include "cooperative_groups.h"
#include "cuset_emulator/cooperative_groups/scan.h"
