// CUB is not served by the emulator.
#pragma once

#error "unsupported: CUB"
