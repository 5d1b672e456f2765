/** Kernels as CUPTI traces them: the C between it and us, beside a stand-in for CUPTI; which traced kernel is which launch; overlaps. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { timesAlone } from '../../src/profile/kernel-clock.js'
import { hashOf, KernelTrace } from '../../src/profile/kernel-trace.js'
import { deviceLanes } from '../../src/profile/lanes.js'
import type { SpanRecord } from '../../src/profile/records.js'
import { matchLaunches } from '../../src/profile/trace-clock.js'
import { cpuDevice } from '../../src/runtime/cpu/device.js'
import { hasCompiler } from '../support/compiler.js'

/** Gives, at each flush, a buffer with a copy of 16 bytes and \`kernels\` kernels; a second flush gives none. Times are of 2020. */
const standIn = (kernels: number, result = 0) => `#include <stdint.h>
#include <string.h>
#include <stddef.h>
typedef void (*requested_fn)(uint8_t **, size_t *, size_t *);
typedef void (*completed_fn)(void *, uint32_t, uint8_t *, size_t, size_t);
enum { copy_bytes = 64, kernel_bytes = 160, now = 7 };
static const uint64_t base = 1577836800000000000ull;
static requested_fn requested;
static completed_fn completed;
static int on;
int cuptiActivityRegisterCallbacks(requested_fn r, completed_fn c) { requested = r; completed = c; return 0; }
int cuptiActivityEnable(int kind) { on = kind == 10; return ${result}; }
int cuptiActivityDisable(int kind) { on = 0; return 0; }
int cuptiGetTimestamp(uint64_t *at) { *at = base + now; return 0; }
static void put32(uint8_t *at, uint32_t value) { memcpy(at, &value, 4); }
static void put64(uint8_t *at, uint64_t value) { memcpy(at, &value, 8); }
int cuptiActivityFlushAll(uint32_t flag) {
  static const char *names[] = {"add", "mul"};
  if (!on) return 1;
  for (int i = 0, done = 0; done < ${kernels}; i++) {
    uint8_t *bytes; size_t size, most, used = 0;
    requested(&bytes, &size, &most);
    memset(bytes, 0, copy_bytes), put32(bytes, 1), used += copy_bytes;
    for (; done < ${kernels} && used + kernel_bytes <= size; done++, used += kernel_bytes) {
      uint8_t *at = bytes + used;
      memset(at, 0, kernel_bytes);
      put32(at, 10);
      put64(at + 16, base + now + 100 * done), put64(at + 24, base + now + 100 * done + 50);
      put32(at + 40, 0), put32(at + 92, ${kernels} - done / 2), put64(at + 104, (uint64_t)(uintptr_t)names[done % 2]);
    }
    completed(NULL, 0, bytes, size, used);
  }
  return 0;
}
int cuptiActivityGetNextRecord(uint8_t *bytes, size_t valid, uint8_t **record) {
  uint8_t *next = bytes;
  if (*record != NULL) { uint32_t kind; memcpy(&kind, *record, 4); next = *record + (kind == 1 ? copy_bytes : kernel_bytes); }
  if (next >= bytes + valid) return 13;
  *record = next;
  return 0;
}
`

describe.runIf(hasCompiler && process.platform === 'linux')('the trace (needs a C compiler)', () => {
  afterAll(() => void vi.unstubAllEnvs())
  const open = (source: string): KernelTrace | null => {
    vi.stubEnv('TEGULA_LIBCUPTI', cpuDevice().toolchain.compile(source).path)
    return KernelTrace.open()
  }

  it('gives kernels by launch, then by start; other records are skipped', () => {
    const trace = open(standIn(5))!
    for (let round = 0; round < 2; round++) {
      expect(trace.start()).toBe(true)
      expect(trace.stop()).toEqual([
        { start: 400, end: 450, correlation: 3, device: 0, name: hashOf('add') },
        { start: 200, end: 250, correlation: 4, device: 0, name: hashOf('add') },
        { start: 300, end: 350, correlation: 4, device: 0, name: hashOf('mul') },
        { start: 0, end: 50, correlation: 5, device: 0, name: hashOf('add') },
        { start: 100, end: 150, correlation: 5, device: 0, name: hashOf('mul') },
      ])
    }
  })

  it('reads several buffers, and more kernels than one call takes', () => {
    const trace = open(standIn(60_000))!
    trace.start()
    const found = trace.stop()
    expect(found).toHaveLength(60_000)
    expect(new Set(found.map(({ start }) => start)).size).toBe(60_000)
  })

  it('says that it does not start, that it is switched off, and that there is no such library', () => {
    expect(open(standIn(1, 35))!.start()).toBe(false) // another profiler listens
    vi.stubEnv('TEGULA_LIBCUPTI', '0')
    expect(KernelTrace.open()).toBeNull()
    vi.stubEnv('TEGULA_LIBCUPTI', '/no/such/libcupti.so')
    expect(() => KernelTrace.open()).toThrow(/TEGULA_LIBCUPTI is "\/no\/such\/libcupti.so".*fix: give the path/)
  })
})

describe('launches among traced kernels', () => {
  const traced = (...calls: readonly (readonly number[])[]) =>
    calls.flatMap((names, correlation) => names.map(name => ({ correlation, name })))

  it('one after another, and as graphs whose kernels ran in another order', () => {
    expect(matchLaunches([[1, 2], [3], [1, 2, 2]], traced([1], [2], [3], [2, 1, 2]))).toEqual([[0, 1], [2], [4, 3, 5]])
  })

  it('between calls of others', () => {
    expect(matchLaunches([[1], [2, 3]], traced([9], [1], [9, 9], [2], [9], [3]))).toEqual([[1], [4, 6]])
  })

  it('that were not traced have none, and take nothing from later ones', () => {
    expect(matchLaunches([[1, 7], [2], [1]], traced([1], [2], [1]))).toEqual([[], [1], [2]])
    expect(matchLaunches([[]], traced([1]))).toEqual([[]])
  })
})

describe('kernels that overlap', () => {
  it('each moment counts for the one that began first', () => {
    const spans = [
      { start: 0, end: 10 },
      { start: 8, end: 20 }, // starts early
      { start: 12, end: 18 }, // lies inside
      { start: 30, end: 31 },
    ]
    expect(timesAlone(spans)).toEqual([10, 10, 0, 1])
    expect(timesAlone(spans.toReversed())).toEqual([1, 0, 10, 10])
  })

  it('have lanes of their own in a stream', () => {
    const kernel = (start: number, duration: number, stream = 0) =>
      ({ onDevice: { device: 'cuda:0', stream, start, duration, alone: duration } }) as unknown as SpanRecord
    const spans = [
      kernel(0, 10),
      kernel(8, 12),
      kernel(10, 2),
      kernel(9, 1, 1),
      { onDevice: null } as unknown as SpanRecord,
    ]
    expect(deviceLanes(spans)).toEqual([0, 1, 0, 0, 0])
  })
})
