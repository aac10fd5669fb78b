// 4-bit floating point (FP4) is not served by the emulator.
#pragma once

#error "unsupported: 4-bit floating point (FP4)"
