// asynchronous barriers (awbarrier) is not served by the emulator.
#pragma once

#error "unsupported: asynchronous barriers (awbarrier)"
