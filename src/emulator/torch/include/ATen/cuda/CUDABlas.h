// cuBLAS is not served by the emulator.
#pragma once

#error "unsupported: cuBLAS"
