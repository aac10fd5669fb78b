// 6-bit floating point (FP6) is not served by the emulator.
#pragma once

#error "unsupported: 6-bit floating point (FP6)"
