/**
 * A C shim over the activity API of CUPTI, NVIDIA's profiling library. CUPTI calls back from its own threads to get empty buffers and to
 * return full ones, so the callbacks are native code. `tg_trace_take` copies the fields we use out of each kernel record.
 *
 * Field offsets are those of CUDA 13's kernel records. With records of another layout no kernel name would match, and profiles would
 * count the kernels as untraced.
 */

/** Numbers per kernel that `tg_trace_take` writes. */
export const recordWords = 5

export const kernelTraceSource = `#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { success = 0, concurrent_kernel = 10, buffer_bytes = 4 << 20, record_words = ${recordWords} };

typedef void (*requested_fn)(uint8_t **, size_t *, size_t *);
typedef void (*completed_fn)(void *, uint32_t, uint8_t *, size_t, size_t);

static int (*register_callbacks)(requested_fn, completed_fn);
static int (*enable)(int);
static int (*disable)(int);
static int (*flush_all)(uint32_t);
static int (*next_record)(uint8_t *, size_t, uint8_t **);
static int (*timestamp)(uint64_t *);

struct buffer {
  struct buffer *next;
  uint8_t *bytes;
  size_t valid;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *full;
static struct buffer **last = &full;
static uint64_t origin;

static void give_buffer(uint8_t **bytes, size_t *size, size_t *records) {
  *bytes = aligned_alloc(8, buffer_bytes);
  *size = *bytes == NULL ? 0 : buffer_bytes;
  *records = 0; /* as many as fit */
}

static void take_buffer(void *context, uint32_t stream, uint8_t *bytes, size_t size, size_t valid) {
  (void)context, (void)stream, (void)size;
  struct buffer *buffer = valid == 0 ? NULL : malloc(sizeof *buffer);
  if (buffer == NULL) {
    free(bytes);
    return;
  }
  *buffer = (struct buffer){NULL, bytes, valid};
  pthread_mutex_lock(&lock);
  *last = buffer;
  last = &buffer->next;
  pthread_mutex_unlock(&lock);
}

/* Loads CUPTI. 0, a result of CUPTI, or -1: no such library. */
int tg_trace_open(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return -1;
  *(void **)&register_callbacks = dlsym(library, "cuptiActivityRegisterCallbacks");
  *(void **)&enable = dlsym(library, "cuptiActivityEnable");
  *(void **)&disable = dlsym(library, "cuptiActivityDisable");
  *(void **)&flush_all = dlsym(library, "cuptiActivityFlushAll");
  *(void **)&next_record = dlsym(library, "cuptiActivityGetNextRecord");
  *(void **)&timestamp = dlsym(library, "cuptiGetTimestamp");
  if (!register_callbacks || !enable || !disable || !flush_all || !next_record || !timestamp) return -1;
  return register_callbacks(give_buffer, take_buffer);
}

/* Records kernels from now on: times count from here. 0, or a result of CUPTI. */
int tg_trace_start(void) {
  int result = timestamp(&origin);
  return result == success ? enable(concurrent_kernel) : result;
}

/* Ends the recording, once the devices have nothing to do. 0, or a result of CUPTI. */
int tg_trace_stop(void) {
  int result = flush_all(0);
  int ended = disable(concurrent_kernel);
  return result == success ? ended : result;
}

static uint64_t u64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static uint32_t u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

/* FNV-1a: enough to tell the kernels of a program apart. */
static uint32_t hash(const char *text) {
  uint32_t value = 2166136261u;
  for (; text != NULL && *text != 0; text++) value = (value ^ (uint8_t)*text) * 16777619u;
  return value;
}

/* Writes start, end, correlation, device and the name's hash of up to \`most\` kernels; returns how many. Repeat until it is 0. */
double tg_trace_take(double address, double most) {
  double *out = (double *)(uintptr_t)address;
  double count = 0;
  static uint8_t *record; /* of the first buffer: the one read last */
  pthread_mutex_lock(&lock);
  while (full != NULL && count < most) {
    if (next_record(full->bytes, full->valid, &record) != success) {
      struct buffer *done = full;
      full = done->next;
      if (full == NULL) last = &full;
      free(done->bytes);
      free(done);
      record = NULL;
      continue;
    }
    if (u32(record) != concurrent_kernel) continue;
    *out++ = (double)(int64_t)(u64(record + 16) - origin);
    *out++ = (double)(int64_t)(u64(record + 24) - origin);
    *out++ = u32(record + 92);
    *out++ = u32(record + 40);
    *out++ = hash((const char *)(uintptr_t)u64(record + 104));
    count++;
  }
  pthread_mutex_unlock(&lock);
  return count;
}
`
