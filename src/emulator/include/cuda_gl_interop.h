// OpenGL interoperation is not served by the emulator.
#pragma once

#error "unsupported: OpenGL interoperation"
