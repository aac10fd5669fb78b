// 8-bit floating point (FP8) is not served by the emulator.
#pragma once

#error "unsupported: 8-bit floating point (FP8)"
