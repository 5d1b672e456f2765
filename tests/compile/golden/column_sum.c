/*
b0 = input 0: f32
b1 = output: f32 × 300
b2 = temp in slot 0: f32 × 2100
launch sum_partial[7](b0[300:1, 500:300], b2[7:300, 300:1])  # sum; 608400 bytes, 150000 flops
launch sum_final[1](b2[300:1, 7:300], b1[300:1])  # sum; 9600 bytes, 2100 flops
return f32 b1[300:1]
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
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 65534")
#endif

typedef __INT64_TYPE__ i64;
typedef double f64;
typedef __UINT64_TYPE__ u64;
typedef float f32;
typedef f32 f32x16 __attribute__((vector_size(64)));
typedef __UINT16_TYPE__ u16;

// Writes consecutive elements, at any alignment.
FN void store_f32x16(f32 *p, f32x16 v) { __builtin_memcpy(p, &v, sizeof v); }

// Broadcasts the scalar to every lane.
FN f32x16 splat_f32x16(f32 x) { return x - (f32x16){0}; }

// The smaller.
FN i64 min_i64(i64 a, i64 b) {
  return a < b ? a : b;
}

// Reads consecutive elements, at any alignment.
FN f32x16 load_f32x16(const f32 *p) { f32x16 v; __builtin_memcpy(&v, p, sizeof v); return v; }

// Bits of the first count lanes.
FN u64 first_lanes(i64 count) { return count <= 0 ? 0 : count >= 64 ? ~(u64)0 : ~(~(u64)0 << count); }

// Writes only the first count lanes.
FN void store_part_f32x16(f32 *p, f32x16 v, i64 count) {
#if GCC_AVX512
  typedef int moved __attribute__((vector_size(64)));
  __builtin_ia32_storedqusi512_mask((int *)p, (moved)v, (u16)first_lanes(count));
#else
  for (i64 lane = 0; lane < count && lane < 16; lane++) p[lane] = v[lane];
#endif
}

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

// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

// sum_partial(x0: view<f32>[300:1, 500:300], partial: view<f32>[7:300, 300:1])
void sum_partial(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *x0 = args[0].ptr;
  f32 *partial = args[1].ptr;
  for (i64 program = first; program < last; program++) {
    f32 *carried = (f32 *)scratch; // 300 elements
    f32 *adds = (f32 *)(scratch + 1216); // 300 elements
    // set carried
    for (i64 i = 0; i < 288; i += 16) {
      store_f32x16(&carried[i], splat_f32x16(0.0f));
    }
    store_part_f32x16(&carried[288], splat_f32x16(0.0f), 12);
    const i64 smaller = min_i64(program % grid[0], 6);
    const i64 product = smaller * 81;
    const i64 smaller_2 = min_i64(product + 81, 500);
    for (i64 step = product; step < smaller_2; step += 27) {
      const i64 smaller_3 = min_i64(27, step * -1 + 500);
      const i64 product_2 = step * 300;
      // sum
      for (i64 j = 0; j < 288; j += 32) {
        const i64 sum = product_2 + j;
        const i64 sum_2 = j + 16;
        const i64 sum_3 = product_2 + sum_2;
        // sum
        f32x16 acc = splat_f32x16(0.0f);
        f32x16 acc_2 = splat_f32x16(0.0f);
        for (i64 k = 0; k < smaller_3; k++) {
          const i64 product_3 = k * 300;
          acc = acc + load_f32x16(&x0[sum + product_3]);
          acc_2 = acc_2 + load_f32x16(&x0[sum_3 + product_3]);
        }
        store_f32x16(&adds[j], acc);
        store_f32x16(&adds[sum_2], acc_2);
      }
      const i64 sum = product_2 + 288;
      // sum
      f32x16 acc = splat_f32x16(0.0f);
      for (i64 k = 0; k < smaller_3; k++) {
        acc = acc + load_part_f32x16(&x0[sum + k * 300], 12);
      }
      store_part_f32x16(&adds[288], acc, 12);
      // keep add
      for (i64 i = 0; i < 288; i += 16) {
        store_f32x16(&carried[i], load_f32x16(&carried[i]) + load_f32x16(&adds[i]));
      }
      const f32x16 sum_2 = load_part_f32x16(&carried[288], 12) + load_part_f32x16(&adds[288], 12);
      store_part_f32x16(&carried[288], sum_2, 12);
    }
    const i64 product_2 = smaller * 300;
    // store partial
    for (i64 i = 0; i < 288; i += 16) {
      store_f32x16(&partial[product_2 + i], load_f32x16(&carried[i]));
    }
    store_part_f32x16(&partial[product_2 + 288], load_part_f32x16(&carried[288], 12), 12);
  }
}

// sum_final(partial: view<f32>[300:1, 7:300], out: view<f32>[300:1])
void sum_final(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *partial = args[0].ptr;
  f32 *out = args[1].ptr;
  for (i64 program = first; program < last; program++) {
    f32 *adds = (f32 *)scratch; // 300 elements
    // sum
    for (i64 j = 0; j < 256; j += 64) {
      const i64 sum = j + 16;
      const i64 sum_2 = j + 32;
      const i64 sum_3 = j + 48;
      // sum
      f32x16 acc = splat_f32x16(0.0f);
      f32x16 acc_2 = splat_f32x16(0.0f);
      f32x16 acc_3 = splat_f32x16(0.0f);
      f32x16 acc_4 = splat_f32x16(0.0f);
      UNROLL
      for (i64 k = 0; k < 7; k++) {
        const i64 product = k * 300;
        acc = acc + load_f32x16(&partial[j + product]);
        acc_2 = acc_2 + load_f32x16(&partial[sum + product]);
        acc_3 = acc_3 + load_f32x16(&partial[sum_2 + product]);
        acc_4 = acc_4 + load_f32x16(&partial[sum_3 + product]);
      }
      store_f32x16(&adds[j], acc);
      store_f32x16(&adds[sum], acc_2);
      store_f32x16(&adds[sum_2], acc_3);
      store_f32x16(&adds[sum_3], acc_4);
    }
    // sum
    for (i64 j = 256; j < 300; j += 16) {
      const i64 smaller = min_i64(16, 300 - j);
      // sum
      f32x16 acc = splat_f32x16(0.0f);
      UNROLL
      for (i64 k = 0; k < 7; k++) {
        acc = acc + load_part_f32x16(&partial[j + k * 300], smaller);
      }
      store_part_f32x16(&adds[j], acc, smaller);
    }
    // store out
    for (i64 i = 0; i < 288; i += 16) {
      store_f32x16(&out[i], load_f32x16(&adds[i]));
    }
    store_part_f32x16(&out[288], load_part_f32x16(&adds[288], 12), 12);
  }
}
