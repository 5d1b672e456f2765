/*
b0 = input 0: f32
b1 = input 1: f32
b2 = output: f32 × 1000000
launch add_max_mul[63](b0[1000:1000, 1000:1], b1[1000:1], b2[1000:1000, 1000:1])  # add, max, mul; 8004000 bytes, 3000000 flops
return f32 b2[1000:1000, 1000:1]
*/
#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
// Vectors wider than a register pass only between functions of this file: their ABI does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define GCC_AVX512 1
#if __GNUC__ > 9
#define GCC_SCALE 1
#endif
#endif
#if defined(__AVX__)
#define GCC_AVX 1
#endif
#if defined(__SSE4_1__)
#define GCC_SSE4 1
#endif
#if defined(__FMA__)
#define GCC_FMA 1
#endif
#if defined(__F16C__)
#define GCC_F16C 1
#endif
#endif
#define FN static inline __attribute__((always_inline, unused))
#define LONG_FN static inline __attribute__((unused))

typedef __INT64_TYPE__ i64;
typedef double f64;
typedef __UINT64_TYPE__ u64;
typedef float f32;
typedef f32 f32x16 __attribute__((vector_size(64)));
typedef __UINT16_TYPE__ u16;
typedef __INT32_TYPE__ b32; // a bool: 0 or -1
typedef b32 b32x16 __attribute__((vector_size(64)));
typedef __INT32_TYPE__ i32;
typedef i32 i32x16 __attribute__((vector_size(64)));

// The smaller.
FN i64 min_i64(i64 a, i64 b) {
  return a < b ? a : b;
}

// m ? a : b, lane by lane.
FN f32x16 where_f32x16(b32x16 m, f32x16 a, f32x16 b) {
  i32x16 k = (i32x16)m;
  return (f32x16)((k & (i32x16)a) | (~k & (i32x16)b));
}

// Bitwise or; of bools: either.
FN b32x16 or_b32x16(b32x16 a, b32x16 b) {
  return a | b;
}

// a != b; true if either is NaN.
FN b32x16 ne_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a != b);
}

// True if either is NaN.
FN b32x16 unordered_f32x16(f32x16 a, f32x16 b) {
  return or_b32x16(ne_f32x16(a, a), ne_f32x16(b, b));
}

// a > b; false if either is NaN.
FN b32x16 gt_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a > b);
}

// a == b; false if either is NaN.
FN b32x16 eq_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a == b);
}

// The float with the given bits.
FN f32x16 from_bits_f32x16(i32x16 x) {
  return (f32x16)x;
}

// The float's bits.
FN i32x16 bits_f32x16(f32x16 x) {
  return (i32x16)x;
}

// Maximum; NaN if either is NaN; -0 < +0.
FN f32x16 max_f32x16(f32x16 a, f32x16 b) {
#if GCC_AVX512
  return where_f32x16(unordered_f32x16(a, b), a + b, __builtin_ia32_rangeps512_mask(a, b, 5, a, -1, 4));
#else
  f32x16 r = where_f32x16(gt_f32x16(a, b), a, b);
  r = where_f32x16(eq_f32x16(a, b), from_bits_f32x16(bits_f32x16(a) & bits_f32x16(b)), r);
  return where_f32x16(unordered_f32x16(a, b), a + b, r);
#endif
}

// Reads consecutive elements, at any alignment.
FN f32x16 load_f32x16(const f32 *p) { f32x16 v; __builtin_memcpy(&v, p, sizeof v); return v; }

// Broadcasts the scalar to every lane.
FN f32x16 splat_f32x16(f32 x) { return x - (f32x16){0}; }

// Writes consecutive elements, at any alignment.
FN void store_f32x16(f32 *p, f32x16 v) { __builtin_memcpy(p, &v, sizeof v); }

// Bits of the first count lanes.
FN u64 first_lanes(i64 count) { return count <= 0 ? 0 : count >= 64 ? ~(u64)0 : ~(~(u64)0 << count); }

// Reads only the first count elements; the other lanes are 0.
FN f32x16 load_part_f32x16(const f32 *p, i64 count) {
#if GCC_AVX512
  typedef int moved __attribute__((vector_size(64)));
  return (f32x16)__builtin_ia32_loaddqusi512_mask((const int *)p, (moved){0}, (u16)(first_lanes(count)));
#else
  f32x16 v = {0};
  for (i64 lane = 0; lane < count && lane < 16; lane++) v[lane] = p[lane];
  return v;
#endif
}

// Writes only the first count lanes.
FN void store_part_f32x16(f32 *p, f32x16 v, i64 count) {
#if GCC_AVX512
  typedef int moved __attribute__((vector_size(64)));
  __builtin_ia32_storedqusi512_mask((int *)p, (moved)v, (u16)first_lanes(count));
#else
  for (i64 lane = 0; lane < count && lane < 16; lane++) p[lane] = v[lane];
#endif
}

// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

// add_max_mul(x0: view<f32>[1000:1000, 1000:1], x1: view<f32>[1000:1], out: view<f32>[1000:1000, 1000:1])
void add_max_mul(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *x0 = args[0].ptr;
  f32 *x1 = args[1].ptr;
  f32 *out = args[2].ptr;
  for (i64 program = first; program < last; program++) {
    const i64 program_x = program % grid[0];
    const i64 smaller = min_i64(16, program_x * -16 + 1000);
    const i64 product = program_x * 16 * 1000;
    // store out
    for (i64 i = 0; i < smaller; i++) {
      const i64 sum = product + i * 1000;
      // store out
      for (i64 i_2 = 0; i_2 < 992; i_2 += 16) {
        const i64 sum_2 = sum + i_2;
        const f32x16 larger = max_f32x16(load_f32x16(&x0[sum_2]) + load_f32x16(&x1[i_2]), splat_f32x16(0.0f));
        store_f32x16(&out[sum_2], larger * splat_f32x16(2.0f));
      }
      const i64 sum_2 = sum + 992;
      const f32x16 sum_3 = load_part_f32x16(&x0[sum_2], 8) + load_part_f32x16(&x1[992], 8);
      const f32x16 product_2 = max_f32x16(sum_3, splat_f32x16(0.0f)) * splat_f32x16(2.0f);
      store_part_f32x16(&out[sum_2], product_2, 8);
    }
  }
}
