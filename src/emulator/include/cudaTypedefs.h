// the driver API is not served by the emulator.
#pragma once

#error "unsupported: the driver API"
