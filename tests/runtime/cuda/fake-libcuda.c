/*
 * A stand-in for NVIDIA's libcuda for machines without a GPU: it implements the functions that src/runtime/cuda calls on
 * host memory, and is as strict as the driver is documented to be, or stricter.
 *
 * Work is queued and runs late: only when somebody waits, and one piece at each query. Which stream goes first, and which
 * ready node of a graph, is up to a seed, so that a missing dependency or a buffer reused too early gives wrong
 * numbers. Memory is checked at each access. "Kernels" are the C functions below, found by the names in the PTX.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int R;
typedef uint64_t u64;
typedef uintptr_t H;

enum {
  OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
  INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NO_BINARY = 209, INVALID_PTX = 218, UNSUPPORTED_PTX = 222,
  INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901, CAPTURE_UNJOINED = 904, CAPTURE_ISOLATION = 905, CAPTURE_IMPLICIT = 906,
};

/* Switches (fake_set) and counters (fake_get). */
#define SETTINGS(X) X(version, 13000) X(devices, 1) X(memory, 1 << 30) X(capability, 90) X(ptx, 90) \
  X(illegal_at, 0) X(seed, 1) X(wait_needs_context, 0) X(wait_ms, 0) X(hold, 0) X(fail_graphs, 0) X(assembly_ms, 0) X(no_edge_data, 0) X(l2_kib, 51200) \
  X(most_threads, 1024) X(shared_kib, 227)
#define COUNTERS(X) X(launches) X(kernels_run) X(allocations) X(frees) X(allocated) X(host_allocations) X(host_allocated) \
  X(assemblies) X(modules) X(node_updates) X(node_switches) X(graph_launches) X(graphs) X(execs) X(events) X(streams) \
  X(waits) X(records) X(worker_waits) X(worker_assemblies) X(early_launches) X(early_edges) X(edges)
#define FIELD1(n, d) double n;
#define FIELD2(n) double n;
static struct { SETTINGS(FIELD1) COUNTERS(FIELD2) } S;

static R sticky;
static _Thread_local H current;
static _Thread_local int thread_mode; /* 0 global, 1 thread local, 2 relaxed */
static pthread_mutex_t mutex;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;
static pthread_t main_thread;

double fake_set(const char *name, double value) {
#define SET1(n, d) if (!strcmp(name, #n)) { double old = S.n; S.n = value; return old; }
#define SET2(n) SET1(n, 0)
  SETTINGS(SET1) COUNTERS(SET2)
  fprintf(stderr, "fake-libcuda: no switch %s\n", name);
  abort();
}
double fake_get(const char *name) {
#define GET1(n, d) if (!strcmp(name, #n)) return S.n;
#define GET2(n) GET1(n, 0)
  SETTINGS(GET1) COUNTERS(GET2)
  fprintf(stderr, "fake-libcuda: no counter %s\n", name);
  abort();
}

static void init_once(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &a);
}
static void defaults(void) {
#define DEF(n, d) S.n = d;
  SETTINGS(DEF)
}
__attribute__((constructor)) static void load(void) { pthread_once(&once, init_once); defaults(); }
static int lock(void) { pthread_mutex_lock(&mutex); return 0; }
static void unlock(int *p) { (void)p; pthread_mutex_unlock(&mutex); }
#define LOCK int guard_ __attribute__((cleanup(unlock), unused)) = lock()
/* Most functions: initialised, nothing failed before, a context is current. */
#define ENTER LOCK; if (!initialised) return NOT_INITIALIZED; if (sticky) return sticky; if (!current) return INVALID_CONTEXT

/* Memory: every allocation is known, so that every access can be checked. */
typedef struct Region { u64 start, bytes; int host; struct Region *next; } Region;
static Region *regions;

static Region *region_of(u64 address, u64 bytes) {
  for (Region *r = regions; r; r = r->next)
    if (address >= r->start && address + bytes <= r->start + r->bytes) return r;
  return NULL;
}
static u64 region_new(u64 bytes, int host) {
  void *memory = NULL;
  if (posix_memalign(&memory, 4096, bytes)) abort();
  memset(memory, 0xcd, bytes);
  Region *r = malloc(sizeof *r);
  *r = (Region){(u64)memory, bytes, host, regions};
  regions = r;
  return r->start;
}
static int region_free(u64 start, int host) {
  for (Region **p = &regions; *p; p = &(*p)->next)
    if ((*p)->start == start && (*p)->host == host) {
      Region *r = *p;
      *p = r->next;
      if (host) S.host_allocated -= r->bytes; else S.allocated -= r->bytes;
      memset((void *)r->start, 0xdd, r->bytes);
      free((void *)r->start);
      free(r);
      return 1;
    }
  return 0;
}

/* Handles carry a tag, so that a stale or wrong one is found. */
enum { CONTEXT = 0xc0de01, STREAM, EVENT, MODULE, FUNCTION, GRAPH, EXEC, LINK };
typedef struct { int tag; } Tagged;
static int is(H h, int tag) { return h > 4096 && ((Tagged *)h)->tag == tag; }

typedef struct { int tag; char *text; } Module;
typedef struct { int tag; char name[128]; const char *text; int max_shared, waits; } Function;
typedef struct { int tag; char *text; char *cubin; char *error; u64 error_bytes; char *info; u64 info_bytes; long target; } Link;

enum { KERNEL, COPY, SET, RECORD, WAIT, GRAPH_RUN, NODE_EMPTY };
#define MAX_ARGS 512 /* 4096 bytes */
typedef struct {
  int kind;
  Function *function;
  u64 args[MAX_ARGS];
  unsigned argc, blocks, threads, shared;
  u64 target, source, count;
  unsigned value, element;
} Work;
typedef struct { Work work; int deps[64]; int dep_count; int enabled; int early; } Node;
typedef struct { int tag; Node **nodes; int count; } Graph;
typedef struct { int tag; Graph *copy; Graph *origin; u64 memory; } Exec;

struct Stream;
typedef struct Capture { Graph *graph; struct Stream *origin; int invalid, mode; pthread_t thread; } Capture;
typedef struct { int tag; u64 recorded, done; Capture *capture; int deps[64]; int dep_count; } Event;
typedef struct Op { Work work; Event *event; u64 generation; Node *nodes; int node_count; struct Op *next; } Op;
typedef struct Stream { int tag; Op *head, *tail; Capture *capture; int deps[64]; int dep_count; struct Stream *next; } Stream;
static Stream *streams;
static Capture *active;
static struct { int tag; } contexts[16];

/* --- running ---------------------------------------------------------------------------------------------------- */

static unsigned pick(unsigned n) {
  static unsigned state = 12345;
  static double seen;
  if (seen != S.seed) { seen = S.seed; state = (unsigned)S.seed * 2654435761u + 1; }
  state = state * 1664525u + 1013904223u;
  /* Seeds 1, 4, … always take the first, 2, 5, … the last: what is late stays late. The others are random. */
  return (int)S.seed % 3 == 1 ? 0 : (int)S.seed % 3 == 2 ? n - 1 : (state >> 8) % n;
}

static int touch(u64 address, u64 bytes) {
  if (bytes == 0 || region_of(address, bytes)) return 1;
  sticky = ILLEGAL_ADDRESS;
  return 0;
}

typedef void (*Kernel)(Work *w);
#define A(i) (w->args[i])
static double as_double(u64 bits) { double d; memcpy(&d, &bits, 8); return d; }

/* fill(out f32*, n, value) */
static void k_fill(Work *w) {
  if (!touch(A(0), A(1) * 4)) return;
  for (u64 i = 0; i < A(1); i++) ((float *)A(0))[i] = (float)as_double(A(2));
}
/* add(a, b, out, n) */
static void k_add(Work *w) {
  if (!touch(A(0), A(3) * 4) || !touch(A(1), A(3) * 4) || !touch(A(2), A(3) * 4)) return;
  for (u64 i = 0; i < A(3); i++) ((float *)A(2))[i] = ((float *)A(0))[i] + ((float *)A(1))[i];
}
/* scale(x, n, factor), in place */
static void k_scale(Work *w) {
  if (!touch(A(0), A(1) * 4)) return;
  for (u64 i = 0; i < A(1); i++) ((float *)A(0))[i] *= (float)as_double(A(2));
}
/* echo(out, ...): all argument words, then blocks, threads, shared */
static void k_echo(Work *w) {
  if (!touch(A(0), (w->argc + 3) * 8)) return;
  u64 *out = (u64 *)A(0);
  memcpy(out, w->args, w->argc * 8);
  out[w->argc] = w->blocks; out[w->argc + 1] = w->threads; out[w->argc + 2] = w->shared;
}
static const struct { const char *name; Kernel run; } kernels[] = {
  {"fill", k_fill}, {"add", k_add}, {"scale", k_scale}, {"echo", k_echo},
};

/* Runs all kernels in their place, given their module's text; 0 when they touched only what is allocated. */
typedef int (*Runner)(const char *text, const char *name, const u64 *args, unsigned argc, unsigned blocks, unsigned shared);
static Runner runner;
void fake_runner(Runner r) { runner = r; }
/* The first byte and the size of each piece of memory, up to `most` pieces. Returns how many there are. */
int fake_regions(u64 *out, int most) {
  int count = 0;
  for (Region *r = regions; r; r = r->next, count++)
    if (count < most) { out[2 * count] = r->start; out[2 * count + 1] = r->bytes; }
  return count;
}

static void run_kernel(Work *w) {
  if (runner) {
    if (runner(w->function->text, w->function->name, w->args, w->argc, w->blocks, w->shared)) sticky = ILLEGAL_ADDRESS;
    return;
  }
  for (unsigned i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (!strcmp(kernels[i].name, w->function->name)) kernels[i].run(w);
}

static void run_work(Work *w) {
  if (sticky) return;
  switch (w->kind) {
  case KERNEL: {
    S.kernels_run++;
    if (S.illegal_at > 0 && S.kernels_run >= S.illegal_at) { sticky = ILLEGAL_ADDRESS; return; }
    run_kernel(w);
    return;
  }
  case COPY:
    if (touch(w->target, w->count) && touch(w->source, w->count)) memmove((void *)w->target, (void *)w->source, w->count);
    return;
  case SET:
    if (!touch(w->target, w->count * w->element)) return;
    for (u64 i = 0; i < w->count; i++)
      if (w->element == 1) ((uint8_t *)w->target)[i] = (uint8_t)w->value;
      else ((uint32_t *)w->target)[i] = w->value;
    return;
  default:
    return;
  }
}

static void run_graph(Op *op) {
  char *done = calloc(op->node_count + 1, 1);
  for (int left = op->node_count; left > 0; left--) {
    int ready[1024], count = 0;
    for (int i = 0; i < op->node_count && count < 1024; i++) {
      int ok = !done[i];
      for (int d = 0; ok && d < op->nodes[i].dep_count; d++) ok = done[op->nodes[i].deps[d]];
      if (ok) ready[count++] = i;
    }
    int node = ready[pick(count)];
    if (op->nodes[node].enabled) run_work(&op->nodes[node].work);
    done[node] = 1;
  }
  free(done);
}

/* Runs the first piece of work of one stream; 0 when nothing can run. */
static int step(void) {
  Stream *ready[256];
  int count = 0;
  for (Stream *s = streams; s && count < 256; s = s->next) {
    Op *op = s->head;
    if (op && !(op->work.kind == WAIT && op->event->done < op->generation)) ready[count++] = s;
  }
  if (count == 0) return 0;
  Stream *s = ready[pick(count)];
  Op *op = s->head;
  s->head = op->next;
  if (!s->head) s->tail = NULL;
  if (op->work.kind == RECORD) { if (op->event->done < op->generation) op->event->done = op->generation; }
  else if (op->work.kind == GRAPH_RUN) run_graph(op);
  else run_work(&op->work);
  free(op->nodes);
  free(op);
  return 1;
}
static void drain(void) { while (step()) {} }

/* --- queueing --------------------------------------------------------------------------------------------------- */

static void unite(int *deps, int *count, const int *more, int n) {
  for (int i = 0; i < n; i++) {
    int known = 0;
    for (int j = 0; j < *count; j++) known |= deps[j] == more[i];
    if (!known && *count < 64) deps[(*count)++] = more[i];
  }
}
static int node_add(Graph *g, const Work *w, const int *deps, int count) {
  g->nodes = realloc(g->nodes, (g->count + 1) * sizeof *g->nodes);
  Node *node = calloc(1, sizeof *node);
  node->work = *w;
  node->enabled = 1;
  unite(node->deps, &node->dep_count, deps, count);
  g->nodes[g->count] = node;
  return g->count++;
}
static Op *op_add(Stream *s, int kind) {
  Op *op = calloc(1, sizeof *op);
  op->work.kind = kind;
  if (s->tail) s->tail->next = op; else s->head = op;
  s->tail = op;
  return op;
}
static R queue(H stream, const Work *w) {
  if (!is(stream, STREAM)) return INVALID_HANDLE;
  Stream *s = (Stream *)stream;
  if (s->capture) {
    if (s->capture->invalid) return CAPTURE_INVALIDATED;
    int node = node_add(s->capture->graph, w, s->deps, s->dep_count);
    s->deps[0] = node;
    s->dep_count = 1;
    return OK;
  }
  op_add(s, 0)->work = *w;
  return OK;
}
/* What a capture forbids this thread unless it relaxed its mode. */
static R unsafe_call(void) {
  if (!active || thread_mode == 2) return OK;
  if (active->mode == 1 && !pthread_equal(active->thread, pthread_self())) return OK;
  active->invalid = 1;
  return CAPTURE_UNSUPPORTED;
}
#define UNSAFE do { R unsafe_ = unsafe_call(); if (unsafe_) return unsafe_; } while (0)

/* --- the API ---------------------------------------------------------------------------------------------------- */

R cuInit(unsigned flags) { LOCK; (void)flags; if (S.devices == 0) return NO_DEVICE; initialised = 1; main_thread = pthread_self(); return OK; }
R cuDriverGetVersion(int *v) { *v = (int)S.version; return OK; }
R cuDeviceGetCount(int *n) { *n = (int)S.devices; return OK; }
R cuDeviceGet(int *d, int i) { if (i < 0 || i >= S.devices) return INVALID_DEVICE; *d = i; return OK; }
R cuDeviceGetName(char *name, int n, int d) { snprintf(name, n, "Fake GPU %d", d); return OK; }
R cuDeviceGetUuid_v2(char *uuid, int d) { for (int i = 0; i < 16; i++) uuid[i] = (char)(i * 16 + d); return OK; }
R cuDeviceTotalMem_v2(u64 *bytes, int d) { (void)d; *bytes = (u64)S.memory; return OK; }
R cuDeviceGetAttribute(int *v, int a, int d) {
  (void)d;
  switch (a) {
  case 16: *v = 132; return OK;
  case 36: *v = 2619000; return OK;
  case 37: *v = 5120; return OK;
  case 38: *v = (int)S.l2_kib << 10; return OK;
  case 75: *v = (int)S.capability / 10; return OK;
  case 76: *v = (int)S.capability % 10; return OK;
  case 81: *v = 228 << 10; return OK;
  case 97: *v = 227 << 10; return OK;
  default: return INVALID_VALUE;
  }
}
R cuDevicePrimaryCtxRetain(H *c, int d) { LOCK; contexts[d].tag = CONTEXT; *c = (H)&contexts[d]; return OK; }
R cuDevicePrimaryCtxRelease_v2(int d) { (void)d; return OK; }
R cuCtxSetCurrent(H c) { if (c && !is(c, CONTEXT)) return INVALID_CONTEXT; current = c; return OK; }
R cuCtxSynchronize(void) { ENTER; UNSAFE; drain(); return sticky; }

R cuMemAlloc_v2(u64 *p, u64 bytes) {
  ENTER; UNSAFE;
  if (bytes == 0) return INVALID_VALUE;
  if (S.allocated + bytes > S.memory) return OUT_OF_MEMORY;
  S.allocated += bytes;
  S.allocations++;
  *p = region_new(bytes, 0);
  return OK;
}
R cuMemFree_v2(u64 p) { ENTER; UNSAFE; drain(); S.frees++; return region_free(p, 0) ? OK : INVALID_VALUE; }
R cuMemGetInfo_v2(u64 *f, u64 *t) { ENTER; *t = (u64)S.memory; *f = (u64)(S.memory - S.allocated); return OK; }
R cuMemHostAlloc(u64 *p, u64 bytes, unsigned flags) {
  ENTER; UNSAFE; (void)flags;
  S.host_allocations++;
  S.host_allocated += bytes;
  *p = region_new(bytes, 1);
  return OK;
}
R cuMemFreeHost(u64 p) { ENTER; UNSAFE; drain(); return region_free(p, 1) ? OK : INVALID_VALUE; }

static R copy(u64 target, u64 source, u64 count, H stream) {
  Work w = {.kind = COPY, .target = target, .source = source, .count = count};
  return count == 0 ? OK : queue(stream, &w);
}
R cuMemcpyHtoDAsync_v2(u64 t, u64 s, u64 n, H stream) { ENTER; return copy(t, s, n, stream); }
R cuMemcpyDtoHAsync_v2(u64 t, u64 s, u64 n, H stream) { ENTER; return copy(t, s, n, stream); }
R cuMemcpyDtoDAsync_v2(u64 t, u64 s, u64 n, H stream) { ENTER; return copy(t, s, n, stream); }
R cuMemcpyPeerAsync(u64 t, H tc, u64 s, H sc, u64 n, H stream) {
  ENTER;
  if (!is(tc, CONTEXT) || !is(sc, CONTEXT)) return INVALID_CONTEXT;
  return copy(t, s, n, stream);
}
static R set(u64 target, unsigned value, unsigned element, u64 count, H stream) {
  Work w = {.kind = SET, .target = target, .value = value, .element = element, .count = count};
  return queue(stream, &w);
}
R cuMemsetD8Async(u64 t, unsigned char v, u64 n, H stream) { ENTER; return set(t, v, 1, n, stream); }
R cuMemsetD32Async(u64 t, unsigned v, u64 n, H stream) { ENTER; return set(t, v, 4, n, stream); }

R cuStreamCreate(H *out, unsigned flags) {
  ENTER; (void)flags;
  Stream *s = calloc(1, sizeof *s);
  s->tag = STREAM;
  s->next = streams;
  streams = s;
  S.streams++;
  *out = (H)s;
  return OK;
}
R cuStreamDestroy_v2(H h) { ENTER; if (!is(h, STREAM)) return INVALID_HANDLE; drain(); ((Stream *)h)->tag = 0; return OK; }
static R refuse_captured(H h) {
  if (!is(h, STREAM)) return INVALID_HANDLE;
  Capture *c = ((Stream *)h)->capture;
  if (!c) return OK;
  c->invalid = 1;
  return CAPTURE_UNSUPPORTED;
}
R cuStreamSynchronize(H h) {
  ENTER;
  R r = refuse_captured(h);
  if (r) return r;
  while (((Stream *)h)->head) if (!step()) abort();
  return sticky;
}
R cuStreamQuery(H h) {
  ENTER;
  R r = refuse_captured(h);
  if (r) return r;
  if (!S.hold) step();
  if (sticky) return sticky;
  return ((Stream *)h)->head ? NOT_READY : OK;
}

R cuEventCreate(H *out, unsigned flags) {
  ENTER; (void)flags;
  Event *e = calloc(1, sizeof *e);
  e->tag = EVENT;
  S.events++;
  *out = (H)e;
  return OK;
}
R cuEventDestroy_v2(H h) { ENTER; if (!is(h, EVENT)) return INVALID_HANDLE; S.events--; return OK; } /* queued work may still name it */
R cuEventRecord(H h, H stream) {
  ENTER;
  if (!is(h, EVENT) || !is(stream, STREAM)) return INVALID_HANDLE;
  Event *e = (Event *)h;
  Stream *s = (Stream *)stream;
  S.records++;
  e->capture = s->capture;
  if (s->capture) {
    memcpy(e->deps, s->deps, sizeof s->deps);
    e->dep_count = s->dep_count;
    return OK;
  }
  Op *op = op_add(s, RECORD);
  op->event = e;
  op->generation = ++e->recorded;
  return OK;
}
R cuStreamWaitEvent(H stream, H h, unsigned flags) {
  ENTER; (void)flags;
  if (!is(h, EVENT) || !is(stream, STREAM)) return INVALID_HANDLE;
  Event *e = (Event *)h;
  Stream *s = (Stream *)stream;
  S.waits++;
  if (e->capture) {
    if (e->capture != active) return INVALID_VALUE;
    if (s->capture && s->capture != e->capture) return CAPTURE_ISOLATION;
    if (!s->capture) { s->capture = e->capture; s->dep_count = 0; }
    unite(s->deps, &s->dep_count, e->deps, e->dep_count);
    return OK;
  }
  if (s->capture) {
    if (e->recorded == 0) return OK;
    s->capture->invalid = 1;
    return CAPTURE_ISOLATION;
  }
  Op *op = op_add(s, WAIT);
  op->event = e;
  op->generation = e->recorded;
  return OK;
}
R cuEventQuery(H h) {
  ENTER; UNSAFE;
  if (!is(h, EVENT)) return INVALID_HANDLE;
  if (((Event *)h)->capture) return 907;
  if (!S.hold) step();
  if (sticky) return sticky;
  return ((Event *)h)->done < ((Event *)h)->recorded ? NOT_READY : OK;
}
R cuEventSynchronize(H h) {
  if (S.wait_needs_context && !current) return INVALID_CONTEXT;
  if (!current) { S.worker_waits++; usleep((useconds_t)(S.wait_ms * 1000)); }
  LOCK;
  if (sticky) return sticky;
  if (!is(h, EVENT)) return INVALID_HANDLE;
  if (current) UNSAFE;
  Event *e = (Event *)h;
  u64 wanted = e->recorded;
  while (e->done < wanted) if (!step()) abort();
  return sticky;
}
R cuEventElapsedTime(float *ms, H a, H b) { ENTER; if (!is(a, EVENT) || !is(b, EVENT)) return INVALID_HANDLE; *ms = 1.5f; return OK; }

/* --- modules: the "machine code" is the text ---------------------------------------------------------------------- */

static const char magic[] = "FAKECUBIN\n";

R cuLinkCreate_v2(unsigned n, unsigned *options, u64 *values, H *out) {
  ENTER;
  Link *l = calloc(1, sizeof *l);
  l->tag = LINK;
  for (unsigned i = 0; i < n; i++)
    switch (options[i]) {
    case 3: l->info = (char *)values[i]; break;
    case 4: l->info_bytes = values[i]; break;
    case 5: l->error = (char *)values[i]; break;
    case 6: l->error_bytes = values[i]; break;
    case 9: l->target = (long)values[i]; break;
    case 12: case 13: break;
    default: return INVALID_VALUE;
    }
  *out = (H)l;
  return OK;
}
R cuLinkAddData_v2(H h, int type, const char *data, u64 bytes, const char *name, unsigned n, void *o, void *v) {
  ENTER; (void)name; (void)n; (void)o; (void)v;
  if (!is(h, LINK)) return INVALID_HANDLE;
  if (type != 1 || data[bytes - 1] != 0) return INVALID_VALUE;
  Link *l = (Link *)h;
  int major = 0, minor = 0, target = 0;
  const char *version = strstr(data, ".version"), *arch = strstr(data, ".target sm_");
  if (!version || !arch || sscanf(version, ".version %d.%d", &major, &minor) != 2) return INVALID_PTX;
  sscanf(arch, ".target sm_%d", &target);
  if (major * 10 + minor > S.ptx) return UNSUPPORTED_PTX;
  char letter = arch[strlen(".target sm_") + (target >= 100 ? 3 : 2)];
  if (letter == 'a' ? target != S.capability || l->target != 0x10000 + target : target > S.capability) return NO_BINARY;
  if (strstr(data, "many_registers")) {
    snprintf(l->error, l->error_bytes, "ptxas fatal   : (C7600) Register allocation failed with register count of '168'");
    return INVALID_PTX;
  }
  if (strstr(data, "syntax_error")) {
    snprintf(l->error, l->error_bytes, "ptxas application ptx input, line 7; error   : Parsing error near 'syntax_error'");
    return INVALID_PTX;
  }
  S.assemblies++;
  S.worker_assemblies += !pthread_equal(main_thread, pthread_self());
  l->text = strdup(data);
  return OK;
}
R cuLinkComplete(H h, u64 *cubin, u64 *bytes) {
  usleep((useconds_t)(S.assembly_ms * 1000));
  ENTER; UNSAFE;
  Link *l = (Link *)h;
  if (!is(h, LINK) || !l->text) return INVALID_HANDLE;
  *bytes = strlen(magic) + strlen(l->text) + 1;
  l->cubin = malloc(*bytes);
  sprintf(l->cubin, "%s%s", magic, l->text);
  *cubin = (u64)l->cubin;
  u64 used = 0; /* lines of the text that begin with "//log " are the assembler's messages */
  for (const char *p = l->text; (p = strstr(p, "//log ")); ) {
    p += 6;
    u64 length = strcspn(p, "\n");
    used += snprintf(l->info + used, l->info_bytes - used, "%.*s\n", (int)length, p);
  }
  return OK;
}
R cuLinkDestroy(H h) {
  LOCK;
  if (!is(h, LINK)) return INVALID_HANDLE;
  Link *l = (Link *)h;
  if (l->cubin) { memset(l->cubin, 0, strlen(l->cubin)); free(l->cubin); }
  free(l->text);
  l->tag = 0;
  return OK;
}
R cuModuleLoadDataEx(H *out, const char *image, unsigned n, void *o, void *v) {
  ENTER; UNSAFE; (void)n; (void)o; (void)v;
  if (strncmp(image, magic, strlen(magic))) return INVALID_IMAGE;
  Module *m = calloc(1, sizeof *m);
  m->tag = MODULE;
  m->text = strdup(image + strlen(magic));
  S.modules++;
  *out = (H)m;
  return OK;
}
R cuModuleUnload(H h) { ENTER; UNSAFE; if (!is(h, MODULE)) return INVALID_HANDLE; S.modules--; return OK; }
R cuModuleGetFunction(H *out, H h, const char *name) {
  ENTER;
  if (!is(h, MODULE)) return INVALID_HANDLE;
  char entry[160];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  if (!strstr(((Module *)h)->text, entry)) return NOT_FOUND;
  Function *f = calloc(1, sizeof *f);
  f->tag = FUNCTION;
  f->text = ((Module *)h)->text;
  f->max_shared = 48 << 10;
  snprintf(f->name, sizeof f->name, "%s", name);
  const char *body = strstr(((Module *)h)->text, entry), *wait = strstr(body, "griddepcontrol.wait");
  f->waits = wait && wait < body + strcspn(body, "}");
  *out = (H)f;
  return OK;
}
R cuFuncGetAttribute(int *v, int a, H h) {
  ENTER; UNSAFE; /* it loads the function */
  if (!is(h, FUNCTION)) return INVALID_HANDLE;
  *v = a == 0 ? (int)S.most_threads /* what registers allow */ : a == 4 ? 32 : a == 8 ? ((Function *)h)->max_shared : 0;
  return OK;
}
R cuFuncSetAttribute(H h, int a, int v) {
  ENTER; UNSAFE;
  if (!is(h, FUNCTION)) return INVALID_HANDLE;
  if (a != 8 || v > (int)S.shared_kib << 10) return INVALID_VALUE;
  ((Function *)h)->max_shared = v;
  return OK;
}
R cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, H h, int threads, u64 shared) {
  ENTER;
  if (!is(h, FUNCTION)) return INVALID_HANDLE;
  int by_threads = 2048 / threads, by_shared = shared ? (int)((228 << 10) / shared) : 32;
  *n = by_threads < by_shared ? by_threads : by_shared;
  return OK;
}

/* --- launching ---------------------------------------------------------------------------------------------------- */

static R kernel_work(Work *w, H function, const unsigned *grid, const unsigned *block, unsigned shared, void *params, u64 *extra) {
  if (!is(function, FUNCTION)) return INVALID_HANDLE;
  if (params || !extra || extra[0] != 1 || extra[2] != 2 || extra[4] != 0) return INVALID_VALUE;
  u64 bytes = *(u64 *)extra[3];
  if (bytes % 8 || bytes / 8 > MAX_ARGS) return INVALID_VALUE;
  if (grid[0] == 0 || grid[0] > 0x7fffffffu || grid[1] != 1 || grid[2] != 1) return INVALID_VALUE;
  if (block[0] == 0 || block[0] > 1024 || block[1] != 1 || block[2] != 1) return INVALID_VALUE;
  Function *f = (Function *)function;
  if (shared > (unsigned)f->max_shared) return INVALID_VALUE;
  *w = (Work){.kind = KERNEL, .function = f, .argc = (unsigned)(bytes / 8), .blocks = grid[0], .threads = block[0], .shared = shared};
  memcpy(w->args, (void *)extra[1], bytes);
  return OK;
}
typedef struct { unsigned grid[3], block[3], shared; H stream; void *attributes; unsigned attribute_count; } Config;
R cuLaunchKernelEx(const Config *c, H function, void *params, u64 *extra) {
  ENTER;
  Work w;
  if (c->attribute_count > 1 || (c->attribute_count == 1) != (c->attributes != NULL)) return INVALID_VALUE;
  if (c->attributes) { /* an early start; without a wait in the kernel that would be a race */
    if (((unsigned *)c->attributes)[0] != 6 || ((unsigned *)c->attributes)[2] != 1) return INVALID_VALUE;
    if (is(function, FUNCTION) && !((Function *)function)->waits) return INVALID_VALUE;
    S.early_launches++;
  }
  R r = kernel_work(&w, function, c->grid, c->block, c->shared, params, extra);
  if (r) return r;
  S.launches++;
  return queue(c->stream, &w);
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

static Graph *graph_new(void) { Graph *g = calloc(1, sizeof *g); g->tag = GRAPH; S.graphs++; return g; }
static Graph *graph_copy(const Graph *from) {
  Graph *g = calloc(1, sizeof *g);
  g->tag = GRAPH;
  for (int i = 0; i < from->count; i++) {
    int id = node_add(g, &from->nodes[i]->work, from->nodes[i]->deps, from->nodes[i]->dep_count);
    g->nodes[id]->early = from->nodes[i]->early;
  }
  return g;
}
static void graph_free(Graph *g) {
  for (int i = 0; i < g->count; i++) free(g->nodes[i]);
  free(g->nodes);
  g->tag = 0;
}
R cuGraphCreate(H *out, unsigned flags) { ENTER; if (flags) return INVALID_VALUE; *out = (H)graph_new(); return OK; }
R cuGraphDestroy(H h) { ENTER; if (!is(h, GRAPH)) return INVALID_HANDLE; graph_free((Graph *)h); S.graphs--; return OK; }
static int node_index(const Graph *g, const void *node) {
  for (int i = 0; i < g->count; i++) if (g->nodes[i] == node) return i;
  return -1;
}
static R add(void **out, H graph, void **before, u64 count, const Work *w) {
  if (!is(graph, GRAPH)) return INVALID_HANDLE;
  Graph *g = (Graph *)graph;
  int deps[64];
  if (count > 64) return INVALID_VALUE;
  for (u64 i = 0; i < count; i++) if ((deps[i] = node_index(g, before[i])) < 0) return INVALID_VALUE;
  int id = node_add(g, w, deps, (int)count);
  S.edges += (double)count;
  *out = g->nodes[id];
  return OK;
}
/* An early edge orders nothing by itself; the kernel behind it must wait, and must not be switched off. */
R cuGraphAddDependencies_v2(H graph, void **from, void **to, const u64 *data, u64 count) {
  ENTER;
  if (!is(graph, GRAPH)) return INVALID_HANDLE;
  if (S.no_edge_data) return 801;
  Graph *g = (Graph *)graph;
  for (u64 i = 0; i < count; i++) {
    int a = node_index(g, from[i]), b = node_index(g, to[i]);
    if (a < 0 || b < 0) return INVALID_VALUE;
    Node *n = g->nodes[b];
    if (data && data[i] == 0x010001) {
      if (g->nodes[a]->work.kind != KERNEL || n->work.kind != KERNEL || !n->work.function->waits) return INVALID_VALUE;
      n->early = 1;
      S.early_edges++;
    } else if (data && data[i]) return INVALID_VALUE;
    unite(n->deps, &n->dep_count, &a, 1);
  }
  return OK;
}
typedef struct { H function; unsigned grid[3], block[3], shared; void *params; u64 *extra; H kern, context; } KernelParams;
typedef struct { u64 target, pitch; unsigned value, element; u64 width, height; } SetParams;
typedef struct {
  u64 sx, sy, sz, slod; unsigned skind; u64 shost, source, sarray, r0, spitch, sheight;
  u64 tx, ty, tz, tlod; unsigned tkind; u64 thost, target, tarray, r1, tpitch, theight;
  u64 width, height, depth;
} CopyParams;
static R kernel_params(Work *w, const KernelParams *p) {
  return kernel_work(w, p->function, p->grid, p->block, p->shared, p->params, p->extra);
}
static R set_params(Work *w, const SetParams *p, H context) {
  if (!is(context, CONTEXT)) return INVALID_CONTEXT;
  if (p->height != 1 || p->width == 0 || (p->element != 1 && p->element != 4)) return INVALID_VALUE;
  if (!region_of(p->target, p->width * p->element)) return INVALID_VALUE;
  *w = (Work){.kind = SET, .target = p->target, .value = p->value, .element = p->element, .count = p->width};
  return OK;
}
static R copy_params(Work *w, const CopyParams *p, H context) {
  if (!is(context, CONTEXT)) return INVALID_CONTEXT;
  if (p->skind != 2 || p->tkind != 2 || p->height != 1 || p->depth != 1 || p->width == 0) return INVALID_VALUE;
  if (!region_of(p->source, p->width) || !region_of(p->target, p->width)) return INVALID_VALUE;
  *w = (Work){.kind = COPY, .target = p->target, .source = p->source, .count = p->width};
  return OK;
}
R cuGraphAddKernelNode_v2(void **out, H g, void **before, u64 n, const KernelParams *p) {
  ENTER; Work w; R r = kernel_params(&w, p); return r ? r : add(out, g, before, n, &w);
}
R cuGraphAddMemsetNode(void **out, H g, void **before, u64 n, const SetParams *p, H context) {
  ENTER; Work w; R r = set_params(&w, p, context); return r ? r : add(out, g, before, n, &w);
}
R cuGraphAddMemcpyNode(void **out, H g, void **before, u64 n, const CopyParams *p, H context) {
  ENTER; Work w; R r = copy_params(&w, p, context); return r ? r : add(out, g, before, n, &w);
}
R cuGraphGetNodes(H h, void **nodes, u64 *count) {
  ENTER;
  if (!is(h, GRAPH)) return INVALID_HANDLE;
  if (!nodes) *count = ((Graph *)h)->count;
  return OK;
}
/* An instantiated graph takes memory of the device: 1 KiB a node. */
R cuGraphInstantiateWithFlags(H *out, H h, u64 flags) {
  ENTER;
  if (!is(h, GRAPH)) return INVALID_HANDLE;
  if (flags) return INVALID_VALUE;
  u64 memory = (u64)((Graph *)h)->count * 1024;
  if (S.fail_graphs || S.allocated + memory > S.memory) return OUT_OF_MEMORY;
  Exec *e = calloc(1, sizeof *e);
  *e = (Exec){EXEC, graph_copy((Graph *)h), (Graph *)h, memory};
  S.allocated += memory;
  S.execs++;
  *out = (H)e;
  return OK;
}
static Node *exec_node(H exec, void *node) {
  if (!is(exec, EXEC)) return NULL;
  Exec *e = (Exec *)exec;
  int index = e->origin->tag == GRAPH ? node_index(e->origin, node) : -1;
  return index < 0 ? NULL : e->copy->nodes[index];
}
static R update(H exec, void *node, const Work *w) {
  Node *n = exec_node(exec, node);
  if (!n || n->work.kind != w->kind) return INVALID_VALUE;
  S.node_updates++;
  n->work = *w;
  return OK;
}
R cuGraphExecKernelNodeSetParams_v2(H e, void *node, const KernelParams *p) {
  ENTER; Work w; R r = kernel_params(&w, p); return r ? r : update(e, node, &w);
}
R cuGraphExecMemsetNodeSetParams(H e, void *node, const SetParams *p, H context) {
  ENTER; Work w; R r = set_params(&w, p, context); return r ? r : update(e, node, &w);
}
R cuGraphExecMemcpyNodeSetParams(H e, void *node, const CopyParams *p, H context) {
  ENTER; Work w; R r = copy_params(&w, p, context); return r ? r : update(e, node, &w);
}
R cuGraphAddEventRecordNode(void **out, H g, void **before, u64 n, H event) {
  ENTER;
  if (!is(event, EVENT)) return INVALID_HANDLE;
  Work w = {.kind = NODE_EMPTY};
  return add(out, g, before, n, &w);
}
R cuGraphNodeSetEnabled(H e, void *node, unsigned enabled) {
  ENTER;
  Node *n = exec_node(e, node);
  if (!n) return INVALID_VALUE;
  for (int i = 0; i < ((Exec *)e)->copy->count; i++) if (((Exec *)e)->copy->nodes[i]->early) return 801;
  S.node_switches++;
  n->enabled = (int)enabled;
  return OK;
}
R cuGraphUpload(H e, H stream) { ENTER; return is(e, EXEC) && is(stream, STREAM) ? OK : INVALID_HANDLE; }
R cuGraphLaunch(H h, H stream) {
  ENTER;
  if (!is(h, EXEC) || !is(stream, STREAM)) return INVALID_HANDLE;
  Stream *s = (Stream *)stream;
  Graph *g = ((Exec *)h)->copy;
  S.graph_launches++;
  if (s->capture) { /* a child graph: its nodes join the capture */
    int base = s->capture->graph->count, deps[64], count = 0;
    for (int i = 0; i < g->count; i++) {
      Node *n = g->nodes[i];
      int mine[64], n_mine = 0;
      for (int d = 0; d < n->dep_count; d++) mine[n_mine++] = base + n->deps[d];
      unite(mine, &n_mine, s->deps, s->dep_count);
      int id = node_add(s->capture->graph, &n->work, mine, n_mine);
      s->capture->graph->nodes[id]->enabled = n->enabled;
      if (count < 64) deps[count++] = id;
    }
    if (count) { memcpy(s->deps, deps, sizeof deps); s->dep_count = count; }
    return OK;
  }
  Op *op = op_add(s, GRAPH_RUN);
  op->node_count = g->count;
  op->nodes = calloc(g->count + 1, sizeof(Node));
  for (int i = 0; i < g->count; i++) op->nodes[i] = *g->nodes[i];
  return OK;
}
R cuGraphExecDestroy(H h) {
  ENTER;
  if (!is(h, EXEC)) return INVALID_HANDLE;
  Exec *e = (Exec *)h;
  S.allocated -= e->memory;
  S.execs--;
  graph_free(e->copy);
  e->tag = 0;
  return OK;
}

/* --- capture ------------------------------------------------------------------------------------------------------ */

R cuStreamBeginCapture_v2(H h, int mode) {
  ENTER;
  if (!is(h, STREAM)) return INVALID_HANDLE;
  Stream *s = (Stream *)h;
  if (s->capture || active) return INVALID_VALUE;
  active = s->capture = calloc(1, sizeof *active);
  *active = (Capture){graph_new(), s, 0, mode, pthread_self()};
  s->dep_count = 0;
  return OK;
}
static void reach(Graph *g, int node, char *seen) {
  if (seen[node]) return;
  seen[node] = 1;
  for (int d = 0; d < g->nodes[node]->dep_count; d++) reach(g, g->nodes[node]->deps[d], seen);
}
R cuStreamEndCapture(H h, H *out) {
  LOCK;
  if (!is(h, STREAM)) return INVALID_HANDLE;
  Stream *s = (Stream *)h;
  Capture *c = s->capture;
  *out = 0;
  if (!c || c->origin != s) return INVALID_VALUE;
  char *seen = calloc(c->graph->count + 1, 1);
  int joined = 1;
  for (int i = 0; i < s->dep_count; i++) reach(c->graph, s->deps[i], seen);
  for (Stream *o = streams; o; o = o->next) {
    if (o->capture != c) continue;
    for (int i = 0; i < o->dep_count; i++) joined &= seen[o->deps[i]];
    o->capture = NULL;
    o->dep_count = 0;
  }
  active = NULL;
  if (c->invalid || !joined) { graph_free(c->graph); S.graphs--; return c->invalid ? CAPTURE_INVALIDATED : CAPTURE_UNJOINED; }
  *out = (H)c->graph;
  return OK;
}
R cuStreamIsCapturing(H h, int *status) {
  ENTER;
  Capture *c = ((Stream *)h)->capture;
  *status = c ? 1 + c->invalid : 0;
  return OK;
}
R cuThreadExchangeStreamCaptureMode(int *mode) { ENTER; int old = thread_mode; thread_mode = *mode; *mode = old; return OK; }

/* A process has one driver: tests start from a clean one. Handles of before are gone. */
void fake_reset(void) {
  LOCK;
  if (active) { active->origin->capture = NULL; active = NULL; }
  for (Stream *s = streams; s; s = s->next) { s->head = s->tail = NULL; s->capture = NULL; }
  streams = NULL;
  while (regions) region_free(regions->start, regions->host);
  sticky = 0;
  thread_mode = 0;
  memset(&S, 0, sizeof S);
  defaults();
}
