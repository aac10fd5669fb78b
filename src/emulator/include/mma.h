// tensor cores (wmma) is not served by the emulator.
#pragma once

#error "unsupported: tensor cores (wmma)"
