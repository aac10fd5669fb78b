// For a library that works on device memory itself, in the place of a GPU's libraries: the memory is open to it meanwhile,
// and what it did stands in the program's timeline as one kernel.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The library that calls this first is the only one whose work opens the memory: others would do theirs unseen. Called while it
// is loaded, before any code of the program.
void cuset_begin_library(void);

// The kernel's name is at::native:: and `name`, as PyTorch's are. One at a time in each thread. Calls from elsewhere do nothing.
void cuset_begin_library_work(const char* name);
// `elements` of tensors were read or written; the kernel has as many threads. `copy` is HtoD, DtoH or DtoD where it copied
// `bytes`, which stands in the timeline beside the kernel; else null.
void cuset_end_library_work(uint64_t elements, const char* copy, uint64_t bytes);

// Between the two: a result that the work has computed. The timeline gets a digest of its elements, of 1, 2, 4 or 8 bytes
// each, so that it is recognized where it turns up again; of real numbers of 4 or 8 bytes (`is_real`) also a sketch, by which
// it is recognized in another form. `is_given`: nothing that a kernel of the program's own computed went into it.
void cuset_note_library_result(const void* elements, uint64_t count, uint32_t element_bytes, int is_real,
                               int is_given);
// Likewise: what the work has brought to the host.
void cuset_note_host_copy(const void* elements, uint64_t count, uint32_t element_bytes);

// The content of a file that only the emulator can read (base/input_cipher.h), into memory of the device, which the host cannot
// read. The judge tells the file's `word` when its turn has come. 0, or a cudaError_t.
int cuset_take_input(const char* path, uint64_t word, void* to, uint64_t bytes);

// The stream that PyTorch takes for the current one of this thread; null: the default stream.
void* cuset_current_stream(void);
void cuset_use_stream(void* stream);
void cuset_note_stream_work(void);  // work was put into the current stream

// A call of the program's functions has ended. The timeline gets a note where work of its streams is left that neither the
// default stream nor the host waits for.
void cuset_end_call(void);

#ifdef __cplusplus
}
#endif
