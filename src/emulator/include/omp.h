// OpenMP's functions as a program without OpenMP sees them (section "Stubs" of its specification): one thread. Pragmas are not
// obeyed, as without -fopenmp.
#pragma once

#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int omp_lock_t;
typedef int omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_num_devices(void) { return 0; }
static inline int omp_get_default_device(void) { return 0; }
static inline void omp_set_default_device(int number) { (void)number; }
static inline int omp_get_nested(void) { return 0; }
static inline void omp_set_nested(int wanted) { (void)wanted; }
static inline int omp_get_dynamic(void) { return 0; }
static inline void omp_set_dynamic(int wanted) { (void)wanted; }
static inline void omp_set_num_threads(int threads) { (void)threads; }
static inline void omp_set_schedule(omp_sched_t kind, int chunk) {
  (void)kind;
  (void)chunk;
}

static inline double omp_get_wtime(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}
static inline double omp_get_wtick(void) { return 1e-6; }

static inline void omp_init_lock(omp_lock_t* lock) { *lock = 0; }
static inline void omp_destroy_lock(omp_lock_t* lock) { (void)lock; }
static inline void omp_set_lock(omp_lock_t* lock) { *lock = 1; }
static inline void omp_unset_lock(omp_lock_t* lock) { *lock = 0; }
static inline int omp_test_lock(omp_lock_t* lock) {
  const int free_before = *lock == 0;
  *lock = 1;
  return free_before;
}

#ifdef __cplusplus
}
#endif
