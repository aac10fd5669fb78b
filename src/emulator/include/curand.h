// cuRAND's host API is not served by the emulator.
#pragma once

#error "unsupported: cuRAND's host API"
