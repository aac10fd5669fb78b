// Cooperative groups: blocks, tiles, coalesced threads, grids.
#pragma once
#define _COOPERATIVE_GROUPS_H_  // NVIDIA's include guard

#include "cuset_emulator/cooperative_groups/cluster.h"
#include "cuset_emulator/cooperative_groups/coalesced.h"
#include "cuset_emulator/cooperative_groups/grid.h"
#include "cuset_emulator/cooperative_groups/thread_block.h"
#include "cuset_emulator/cooperative_groups/tile.h"
