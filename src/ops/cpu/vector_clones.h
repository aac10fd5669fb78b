// CUSET_VECTOR_CLONES before a function compiles it for the vector instructions of several machines; the
// right one is chosen at run time. Nothing where the compiler cannot do that: the function then uses what
// every machine of the build's target has.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define CUSET_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CUSET_VECTOR_CLONES
#endif

// Inlined into its callers whatever its size, and so compiled for their instructions.
#define CUSET_ALWAYS_INLINE inline __attribute__((always_inline))
