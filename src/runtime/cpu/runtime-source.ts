/**
 * Our C runtime, as text: it runs a list of steps and splits large ones over a pool of threads. It is compiled once by
 * the system's compiler and cached, like any kernel.
 *
 * Protocol of the pool. One word, `state`, holds (epoch << 32 | chunks not yet claimed). To claim a chunk, a thread
 * decrements it by compare-and-swap; success proves that the job fields it read before belong to this epoch, because
 * the caller changes them only after all chunks of the epoch are done. So the caller waits for chunks, never for
 * threads: a worker that is still asleep delays nobody, and a child of fork(), which has no workers, still finishes.
 */
import { kernelAbi, maxGridExtent, sizesAbi, stepAbi, stepLayout } from './abi.js'

const scratchPart = `
/* ---- scratch: one block per thread, grown on demand, freed when the thread ends ---- */
static __thread char *scratch_base;
static __thread int64_t scratch_size;
static pthread_key_t scratch_key;
static pthread_once_t scratch_once = PTHREAD_ONCE_INIT;

static void make_scratch_key(void) { pthread_key_create(&scratch_key, free); }

/* At least "bytes" bytes, 64-byte aligned; NULL for bytes == 0 and when memory ends. */
static char *scratch_for(int64_t bytes) {
  if (bytes <= scratch_size) return bytes > 0 ? scratch_base : NULL;
  int64_t wanted = bytes > 2 * scratch_size ? bytes : 2 * scratch_size;
  void *fresh = NULL;
  if (posix_memalign(&fresh, 64, (size_t)((wanted + 63) & ~(int64_t)63)) != 0) return NULL;
  pthread_once(&scratch_once, make_scratch_key);
  free(scratch_base);
  pthread_setspecific(scratch_key, fresh);
  scratch_base = fresh;
  scratch_size = wanted;
  return fresh;
}

/* Returns 0, or 1 when there is no memory for the scratch. */
static int run_range(const tg_step *step, int64_t first, int64_t last) {
  char *scratch = scratch_for(step->scratch_bytes);
  if (scratch == NULL && step->scratch_bytes > 0) return 1;
  step->fn(step->args, step->grid, first, last, scratch);
  return 0;
}
`

const waitPart = `
/* ---- waiting: spin for a while, then sleep until the word changes ---- */
#if defined(__linux__)
#define FUTEX_WAIT_PRIVATE 128 /* linux/futex.h is not part of every system's C headers (Alpine) */
#define FUTEX_WAKE_PRIVATE 129
static void sleep_while(atomic_uint *word, unsigned value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}
static void wake(atomic_uint *word, int threads) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0); }
#else
static pthread_mutex_t sleep_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleep_cond = PTHREAD_COND_INITIALIZER;
static void sleep_while(atomic_uint *word, unsigned value) {
  pthread_mutex_lock(&sleep_mutex);
  if (atomic_load(word) == value) pthread_cond_wait(&sleep_cond, &sleep_mutex);
  pthread_mutex_unlock(&sleep_mutex);
}
static void wake(atomic_uint *word, int threads) {
  (void)word, (void)threads; /* all words share one condition: sleepers look again */
  pthread_mutex_lock(&sleep_mutex);
  pthread_cond_broadcast(&sleep_cond);
  pthread_mutex_unlock(&sleep_mutex);
}
#endif

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Spins until the word differs from "value" (returns 1) or the time is over (returns 0). */
static int spin_while(atomic_uint *word, unsigned value, int64_t nanoseconds) {
  if (nanoseconds <= 0) return atomic_load(word) != value;
  const int64_t end = now_ns() + nanoseconds;
  do {
    for (int i = 0; i < 32; i++) {
      if (atomic_load_explicit(word, memory_order_acquire) != value) return 1;
      relax();
    }
  } while (now_ns() < end);
  return 0;
}
`

const poolPart = `
/* ---- the pool ---- */
#define SPIN_NS 30000 /* about twice a futex wake-up: steps that follow each other closely find the workers awake */
#define CHUNKS_PER_THREAD 4 /* enough to even out threads of unequal speed, few enough to keep claims rare */
#define MAX_THREADS 1024

static struct {
  _Alignas(64) _Atomic uint64_t state; /* epoch << 32 | chunks not yet claimed */
  _Alignas(64) atomic_uint done;       /* chunks finished in this epoch */
  atomic_uint caller_sleeps;
  _Alignas(64) atomic_uint signal;     /* changes with each job; idle workers wait on it */
  atomic_uint sleepers;
  /* the job: constant while chunks of its epoch are unfinished */
  _Alignas(64) const tg_step *_Atomic step;
  _Atomic int64_t total, chunk;
  atomic_uint chunks;
  atomic_uint failed;
  atomic_int caller_cpu;
  atomic_flag owned;   /* a caller holds the pool */
  int started;         /* workers running; touched by the owner only */
  atomic_int threads;  /* wanted, the caller included */
  int64_t spin_ns;
} pool = { .owned = ATOMIC_FLAG_INIT, .threads = 1 };

/* Claims chunks and runs them until none is left. */
static void run_chunks(void) {
  for (;;) {
    uint64_t state = atomic_load_explicit(&pool.state, memory_order_acquire);
    const unsigned left = (unsigned)state;
    if (left == 0) return;
    const tg_step *step = atomic_load_explicit(&pool.step, memory_order_relaxed);
    const int64_t total = atomic_load_explicit(&pool.total, memory_order_relaxed);
    const int64_t chunk = atomic_load_explicit(&pool.chunk, memory_order_relaxed);
    const unsigned chunks = atomic_load_explicit(&pool.chunks, memory_order_relaxed);
    if (!atomic_compare_exchange_weak(&pool.state, &state, state - 1)) continue;
    const int64_t first = (int64_t)(chunks - left) * chunk;
    const int64_t last = first + chunk < total ? first + chunk : total;
    if (run_range(step, first, last) != 0) atomic_store(&pool.failed, 1);
    atomic_fetch_add(&pool.done, 1);
    if (atomic_load(&pool.caller_sleeps)) wake(&pool.done, 1);
  }
}

#if defined(__linux__)
static int current_cpu(void) { return sched_getcpu(); }

/* On a busy machine the system may wake a worker on its caller's core, where the two only take turns, and leave it
   there. Such a worker moves and stays off that core, until it meets its caller on another. "full" is what the process
   allows the thread, "kept" what the thread last made of it; when somebody else changes it, that is the new "full". */
static void leave_callers_core(void) {
  static __thread cpu_set_t full, kept;
  static __thread int moved;
  const int cpu = sched_getcpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE || cpu != atomic_load_explicit(&pool.caller_cpu, memory_order_relaxed)) return;
  cpu_set_t now;
  if (sched_getaffinity(0, sizeof now, &now) != 0) return;
  if (!moved || !CPU_EQUAL(&now, &kept)) full = now;
  cpu_set_t others = full;
  CPU_CLR(cpu, &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  kept = others;
  moved = 1;
}
#else
static int current_cpu(void) { return -1; }
static void leave_callers_core(void) {}
#endif

static void *worker_main(void *unused) {
  (void)unused;
  for (;;) {
    const unsigned seen = atomic_load(&pool.signal);
    if ((unsigned)atomic_load(&pool.state) > 0) leave_callers_core();
    run_chunks();
    if (spin_while(&pool.signal, seen, pool.spin_ns)) continue;
    atomic_fetch_add(&pool.sleepers, 1);
    sleep_while(&pool.signal, seen);
    atomic_fetch_sub(&pool.sleepers, 1);
  }
  return NULL;
}

/* Brings the workers to the wanted number; fewer if the system gives no more. Signals stay with the main thread. */
static void start_workers(void) {
  const int wanted = atomic_load(&pool.threads) - 1;
  if (pool.started >= wanted) return;
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  pool.spin_ns = wanted + 1 <= online ? SPIN_NS : 0; /* with more threads than cores, spinning keeps work waiting */
  sigset_t all, before;
  pthread_attr_t attributes;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 4 << 20); /* musl's default of 128 KB is too small for generated code */
  pthread_t thread;
  while (pool.started < wanted && pthread_create(&thread, &attributes, worker_main, NULL) == 0) pool.started++;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wait_for_chunks(unsigned chunks) {
  for (;;) {
    const unsigned done = atomic_load(&pool.done);
    if (done == chunks) return;
    if (spin_while(&pool.done, done, pool.spin_ns)) continue;
    atomic_store(&pool.caller_sleeps, 1);
    if (atomic_load(&pool.done) == done) sleep_while(&pool.done, done);
    atomic_store(&pool.caller_sleeps, 0);
  }
}

/* Runs a step on the pool, which the caller owns. */
static int run_parallel(const tg_step *step, int64_t total, int64_t chunk) {
  const unsigned chunks = (unsigned)((total + chunk - 1) / chunk);
  const uint64_t epoch = (atomic_load(&pool.state) >> 32) + 1;
  atomic_store_explicit(&pool.step, step, memory_order_relaxed);
  atomic_store_explicit(&pool.total, total, memory_order_relaxed);
  atomic_store_explicit(&pool.chunk, chunk, memory_order_relaxed);
  atomic_store_explicit(&pool.chunks, chunks, memory_order_relaxed);
  atomic_store_explicit(&pool.caller_cpu, current_cpu(), memory_order_relaxed);
  atomic_store(&pool.failed, 0);
  atomic_store(&pool.done, 0);
  atomic_store(&pool.state, epoch << 32 | chunks);
  atomic_fetch_add(&pool.signal, 1);
  if (atomic_load(&pool.sleepers) > 0) wake(&pool.signal, (int)chunks - 1);
  run_chunks();
  wait_for_chunks(chunks);
  return (int)atomic_load(&pool.failed);
}

/* How many program instances a chunk holds; the total when the step is not worth splitting. */
static int64_t chunk_of(const tg_step *step, int64_t total) {
  const int64_t threads = atomic_load_explicit(&pool.threads, memory_order_relaxed);
  if (threads <= 1 || step->min_chunk <= 0 || total <= step->min_chunk) return total;
  /* Few instances are claimed in the smallest chunks: 14 for two threads as seven pairs would be 8 and 6. */
  if (total <= threads * CHUNKS_PER_THREAD * 4) return step->min_chunk;
  const int64_t even = (total + threads * CHUNKS_PER_THREAD - 1) / (threads * CHUNKS_PER_THREAD);
  return even > step->min_chunk ? even : step->min_chunk;
}

/* After fork() only the calling thread lives: the child starts its own workers when it needs them. */
static void forget_workers(void) {
  pool.started = 0;
  atomic_store(&pool.sleepers, 0);
  atomic_store(&pool.caller_sleeps, 0);
  atomic_flag_clear(&pool.owned);
}

static void register_fork_handler(void) { pthread_atfork(NULL, NULL, forget_workers); }
`

const sizesPart = `
/* ---- sizes: passed here, where it takes a fraction of what JavaScript takes ---- */

/* Less work than this is not worth waking a thread for; it is also the target size of a chunk of a larger step. */
#define CHUNK_NS 8000.0
/* Conservative speeds of one core, to estimate how long a step takes. */
#define BYTES_PER_NS 12.0
#define FLOPS_PER_NS 25.0
#define MOST_ALONG_AXIS ${maxGridExtent}.0
#define MOST_PROGRAMS ${Number.MAX_SAFE_INTEGER}.0

/* Program instances per chunk, so that a chunk is worth waking a thread; 0: the step runs on the calling thread alone. */
static int64_t min_chunk_of(double programs, double bytes, double flops) {
  if (programs < 2) return 0;
  const double by_bytes = bytes / BYTES_PER_NS, by_flops = flops / FLOPS_PER_NS;
  const double ns = by_bytes > by_flops ? by_bytes : by_flops;
  if (ns < 2 * CHUNK_NS) return 0;
  const double exact = programs * CHUNK_NS / ns;
  const int64_t whole = (int64_t)exact;
  return whole < exact ? whole + 1 : whole;
}

/* Returns 0, or -1 - the index of a grid that is too large. */
static int pass_sizes(tg_step *steps, const tg_sizes *sizes) {
  const double *values = sizes->values;
  const tg_size_arg *args = (const tg_size_arg *)(sizes + 1);
  const tg_size_grid *grids = (const tg_size_grid *)(args + sizes->args);
  int64_t *words = (int64_t *)steps;
  for (int i = 0; i < sizes->args; i++) words[args[i].word] = (int64_t)values[args[i].value];
  for (int i = 0; i < sizes->grids; i++) {
    const tg_size_grid *grid = &grids[i];
    const double x = values[grid->x], y = values[grid->y], z = values[grid->z], programs = x * y * z;
    if (x > MOST_ALONG_AXIS || y > MOST_ALONG_AXIS || z > MOST_ALONG_AXIS || programs > MOST_PROGRAMS) return -1 - i;
    tg_step *step = &steps[grid->step];
    step->grid[0] = (int64_t)x;
    step->grid[1] = (int64_t)y;
    step->grid[2] = (int64_t)z;
    step->min_chunk = min_chunk_of(programs, values[grid->bytes], values[grid->flops]);
  }
  return 0;
}
`

const entryPart = `
/* ---- what TypeScript calls; addresses and counts come as doubles, exact below 2^53 and cheap to pass ---- */

/* Sets the number of threads, the caller included; workers start at the first step that is worth splitting. */
EXPORT double tg_configure(double threads) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_fork_handler);
#if defined(__APPLE__)
  Dl_info self; /* workers run this code for ever: the library must never be unloaded (ELF: -z nodelete) */
  if (dladdr((void *)&tg_configure, &self)) dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
#endif
  const int wanted = threads < 1 ? 1 : threads > MAX_THREADS ? MAX_THREADS : (int)threads;
  atomic_store(&pool.threads, wanted);
  return wanted;
}

/* Passes the sizes, if there are any, and runs the steps in order. Returns 0; 1 + the index of the step that found no memory
   for its scratch; or -1 - the index of a grid that is too large: then nothing has run. */
EXPORT int tg_run(double steps_address, double count, double sizes_address) {
  tg_step *steps = (tg_step *)(uintptr_t)steps_address;
  const tg_sizes *sizes = (const tg_sizes *)(uintptr_t)sizes_address;
  int owner = 0, result = sizes == NULL ? 0 : pass_sizes(steps, sizes);
  for (int i = 0; i < (int)count && result == 0; i++) {
    const tg_step *step = &steps[i];
    if (step->grid[0] <= 0 || step->grid[1] <= 0 || step->grid[2] <= 0) continue;
    const int64_t total = step->grid[0] * step->grid[1] * step->grid[2];
    const int64_t chunk = chunk_of(step, total);
    if (chunk < total && !owner && !atomic_flag_test_and_set(&pool.owned)) {
      owner = 1;
      start_workers();
    }
    /* A second JavaScript thread that finds the pool taken runs its steps alone. */
    const int failed = chunk < total && owner ? run_parallel(step, total, chunk) : run_range(step, 0, total);
    if (failed) result = i + 1;
  }
  if (owner) atomic_flag_clear(&pool.owned);
  return result;
}
`

/** The translation unit. Exports tg_configure and tg_run. */
export const runtimeSource = `/* Tegula's C runtime. See src/runtime/cpu/runtime-source.ts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#if defined(__linux__)
#include <sched.h>
#endif
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
${kernelAbi}
${stepAbi}${sizesAbi}
_Static_assert(sizeof(tg_step) == ${stepLayout.words} * 8 && sizeof(tg_arg) == 8, "steps.ts writes this layout");
#define EXPORT __attribute__((visibility("default")))
${scratchPart}${waitPart}${poolPart}${sizesPart}${entryPart}`
