// Cooperative groups with memcpy_async.
#pragma once

#include "cooperative_groups.h"
#include "cuset_emulator/cooperative_groups/memcpy_async.h"
