/*
b0 = input 0: bf16
b1 = input 1: bf16
b2 = output: bf16 × 2145
launch silu_add[2](b0[2145:1], b1[2145:1], b2[2145:1])  # cast, silu, cast, add, cast; 12870 bytes, 53625 flops
return bf16 b2[33:65, 65:1]
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
typedef __UINT16_TYPE__ u16;
typedef u16 u16x16 __attribute__((vector_size(32)));
typedef float f32;
typedef f32 f32x16 __attribute__((vector_size(64)));
typedef __INT32_TYPE__ i32;
typedef i32 i32x16 __attribute__((vector_size(64)));
typedef __UINT32_TYPE__ u32;
typedef u32 u32x16 __attribute__((vector_size(64)));
typedef __INT32_TYPE__ b32; // a bool: 0 or -1
typedef b32 b32x16 __attribute__((vector_size(64)));

// The float with the given bits.
FN f32x16 from_bits_f32x16(i32x16 x) {
  return (f32x16)x;
}

// From u16.
FN i32x16 u16_to_i32x16(u16x16 x) {
#if GCC_AVX512
  return (i32x16)__builtin_ia32_pmovzxwd512_mask((short __attribute__((vector_size(32))))x, (int __attribute__((vector_size(64))))(i32x16){0}, -1);
#else
  return __builtin_convertvector(x, i32x16);
#endif
}

// The values of bf16 codes, exact in f32.
FN f32x16 unpack_bf16x16(u16x16 x) {
  return from_bits_f32x16((i32x16)((u32x16)u16_to_i32x16(x) << 16));
}

// The float's bits.
FN i32x16 bits_f32x16(f32x16 x) {
  return (i32x16)x;
}

// The low 16 bits.
FN u16x16 i32_to_u16x16(i32x16 x) {
#if GCC_AVX512
  return (u16x16)__builtin_ia32_pmovdw512_mask((int __attribute__((vector_size(64))))x, (short __attribute__((vector_size(32))))(u16x16){0}, -1);
#else
  return __builtin_convertvector(x, u16x16);
#endif
}

// m ? a : b, lane by lane.
FN i32x16 where_i32x16(b32x16 m, i32x16 a, i32x16 b) {
  i32x16 k = (i32x16)m;
  return (i32x16)((k & (i32x16)a) | (~k & (i32x16)b));
}

// a != b; true if either is NaN.
FN b32x16 ne_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a != b);
}

// The bf16 codes of f32 values, rounded to nearest even.
FN u16x16 pack_bf16x16(f32x16 x) {
  i32x16 b = bits_f32x16(x), top = b >> 16;
  i32x16 code = (i32x16)((u32x16)b + 0x7fff + (u32x16)(top & 1)) >> 16;
  return i32_to_u16x16(where_i32x16(ne_f32x16(x, x), top | 0x40, code)); // NaNs become quiet
}

// The smaller.
FN i64 min_i64(i64 a, i64 b) {
  return a < b ? a : b;
}

// Bitwise and; of bools: both.
FN i64 and_i64(i64 a, i64 b) {
  return a & b;
}

// The larger.
FN i64 max_i64(i64 a, i64 b) {
  return a > b ? a : b;
}

// Reads consecutive elements, at any alignment.
FN u16x16 load_u16x16(const u16 *p) { u16x16 v; __builtin_memcpy(&v, p, sizeof v); return v; }

// Reads bf16 as f32.
FN f32x16 load_bf16x16(const u16 *p) { return unpack_bf16x16(load_u16x16(p)); }

// Rounds to the nearest bf16; the result is f32.
FN f32x16 f32_to_bf16x16(f32x16 x) { return unpack_bf16x16(pack_bf16x16(x)); }

// Broadcasts the scalar to every lane.
FN f32x16 splat_f32x16(f32 x) { return x - (f32x16){0}; }

// m ? a : b, lane by lane.
FN f32x16 where_f32x16(b32x16 m, f32x16 a, f32x16 b) {
  i32x16 k = (i32x16)m;
  return (f32x16)((k & (i32x16)a) | (~k & (i32x16)b));
}

// a < b; false if either is NaN.
FN b32x16 lt_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a < b);
}

// max(x, limit); NaN stays NaN.
FN f32x16 at_least_f32x16(f32x16 x, f32 limit) {
#if GCC_AVX512
  return __builtin_ia32_maxps512_mask(splat_f32x16(limit), x, x, -1, 4);
#else
  return where_f32x16(lt_f32x16(x, splat_f32x16(limit)), splat_f32x16(limit), x);
#endif
}

// a > b; false if either is NaN.
FN b32x16 gt_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a > b);
}

// min(x, limit); NaN stays NaN.
FN f32x16 at_most_f32x16(f32x16 x, f32 limit) {
#if GCC_AVX512
  return __builtin_ia32_minps512_mask(splat_f32x16(limit), x, x, -1, 4);
#else
  return where_f32x16(gt_f32x16(x, splat_f32x16(limit)), splat_f32x16(limit), x);
#endif
}

// a * b + c with one rounding.
FN f32x16 fma_f32x16(f32x16 a, f32x16 b, f32x16 c) {
#if GCC_AVX512
  return __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4);
#elif __has_builtin(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(a, b, c);
#else
  f32x16 r = {0};
  UNROLL
  for (int i = 0; i < 16; i++) r[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return r;
#endif
}

// p * 2^n for integer n, rounded once.
#if GCC_SCALE
FN f32x16 scale_f32x16(f32x16 p, f32x16 n) { return __builtin_ia32_scalefps512_mask(p, n, p, -1, 4); }
#endif

// a - b, wrapped
FN i32x16 sub_i32x16(i32x16 a, i32x16 b) {
  return (i32x16)((u32x16)a - (u32x16)b);
}

// The bits of f32, read as i32.
FN i32x16 f32_as_i32x16(f32x16 x) {
  return (i32x16)x;
}

// Broadcasts the scalar to every lane.
FN i32x16 splat_i32x16(i32 x) { return x - (i32x16){0}; }

// Arithmetic a >> b; amounts outside [0, bits) shift everything out.
FN i32x16 shr_i32x16(i32x16 a, i32x16 b) {
  i32x16 inside = (i32x16)((u32x16)b < 32);
  return a >> ((b & inside) | (31 & ~inside));
}

// a << b; amounts outside [0, bits) give 0.
FN i32x16 shl_i32x16(i32x16 a, i32x16 b) {
  i32x16 inside = (i32x16)((u32x16)b < 32);
  return (i32x16)((u32x16)a << ((u32x16)b & 31)) & (i32x16)inside;
}

// a + b, wrapped
FN i32x16 add_i32x16(i32x16 a, i32x16 b) {
  return (i32x16)((u32x16)a + (u32x16)b);
}

// The bits of i32, read as f32.
FN f32x16 i32_as_f32x16(i32x16 x) {
  return (f32x16)x;
}

// e^x
FN f32x16 exp_f32x16(f32x16 x) {
#if GCC_SCALE
  const f32x16 bounded = at_least_f32x16(at_most_f32x16(x, 91.0f), -105.0f);
  const f32x16 t = fma_f32x16(bounded, splat_f32x16(1.442695f), splat_f32x16(12582912.0f));
  const f32x16 n = t - splat_f32x16(12582912.0f);
  const f32x16 r = fma_f32x16(n, splat_f32x16(1.9046542e-9f), fma_f32x16(n, splat_f32x16(-0.6931472f), bounded));
  const f32x16 p = fma_f32x16(splat_f32x16(0.0013947575f), r, splat_f32x16(0.008367234f));
  const f32x16 p_2 = fma_f32x16(fma_f32x16(p, r, splat_f32x16(0.041666266f)), r, splat_f32x16(0.16666538f));
  const f32x16 p_3 = fma_f32x16(fma_f32x16(p_2, r, splat_f32x16(0.5f)), r, splat_f32x16(1.0f));
  return scale_f32x16(fma_f32x16(p_3, r, splat_f32x16(1.0f)), n);
#else
  const f32x16 bounded = at_least_f32x16(at_most_f32x16(x, 91.0f), -105.0f);
  const f32x16 t = fma_f32x16(bounded, splat_f32x16(1.442695f), splat_f32x16(12582912.0f));
  const f32x16 n = t - splat_f32x16(12582912.0f);
  const f32x16 r = fma_f32x16(n, splat_f32x16(1.9046542e-9f), fma_f32x16(n, splat_f32x16(-0.6931472f), bounded));
  const f32x16 p = fma_f32x16(splat_f32x16(0.0013947575f), r, splat_f32x16(0.008367234f));
  const f32x16 p_2 = fma_f32x16(fma_f32x16(p, r, splat_f32x16(0.041666266f)), r, splat_f32x16(0.16666538f));
  const f32x16 p_3 = fma_f32x16(fma_f32x16(p_2, r, splat_f32x16(0.5f)), r, splat_f32x16(1.0f));
  const i32x16 k = sub_i32x16(f32_as_i32x16(t), splat_i32x16(1262485504));
  const i32x16 half = shr_i32x16(k, splat_i32x16(1));
  const i32x16 shl_ = shl_i32x16(add_i32x16(half, splat_i32x16(127)), splat_i32x16(23));
  const f32x16 product = fma_f32x16(p_3, r, splat_f32x16(1.0f)) * i32_as_f32x16(shl_);
  const i32x16 shl__2 = shl_i32x16(add_i32x16(sub_i32x16(k, half), splat_i32x16(127)), splat_i32x16(23));
  return product * i32_as_f32x16(shl__2);
#endif
}

// |x|
FN f32x16 abs_f32x16(f32x16 x) {
  return from_bits_f32x16(bits_f32x16(x) & 0x7fffffff);
}

// 1 / (1 + e^-x); e^-|x| cannot overflow.
FN f32x16 sigmoid_f32x16(f32x16 x) {
  const f32x16 e = exp_f32x16(-abs_f32x16(x));
  const f32x16 chosen = where_f32x16(lt_f32x16(x, splat_f32x16(0.0f)), e, splat_f32x16(1.0f));
  return chosen / (e + splat_f32x16(1.0f));
}

// Writes consecutive elements, at any alignment.
FN void store_u16x16(u16 *p, u16x16 v) { __builtin_memcpy(p, &v, sizeof v); }

// Writes f32, rounded to bf16.
FN void store_bf16x16(u16 *p, f32x16 v) { store_u16x16(p, pack_bf16x16(v)); }

// Bits of the first count lanes.
FN u64 first_lanes(i64 count) { return count <= 0 ? 0 : count >= 64 ? ~(u64)0 : ~(~(u64)0 << count); }

// Reads only the first count elements; the other lanes are 0.
FN u16x16 load_part_u16x16(const u16 *p, i64 count) {
#if GCC_AVX512
  typedef short moved __attribute__((vector_size(32)));
  return (u16x16)__builtin_ia32_loaddquhi256_mask((const short *)p, (moved){0}, (u16)(first_lanes(count)));
#else
  u16x16 v = {0};
  for (i64 lane = 0; lane < count && lane < 16; lane++) v[lane] = p[lane];
  return v;
#endif
}

// Reads only the first count elements; the other lanes are 0.
FN f32x16 load_part_bf16x16(const u16 *p, i64 count) { return unpack_bf16x16(load_part_u16x16(p, count)); }

// Writes only the first count lanes.
FN void store_part_u16x16(u16 *p, u16x16 v, i64 count) {
#if GCC_AVX512
  typedef short moved __attribute__((vector_size(32)));
  __builtin_ia32_storedquhi256_mask((short *)p, (moved)v, (u16)first_lanes(count));
#else
  for (i64 lane = 0; lane < count && lane < 16; lane++) p[lane] = v[lane];
#endif
}

// Writes only the first count lanes.
FN void store_part_bf16x16(u16 *p, f32x16 v, i64 count) { store_part_u16x16(p, pack_bf16x16(v), count); }

// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

// silu_add(x0: view<bf16>[2145:1], x1: view<bf16>[2145:1], out: view<bf16>[2145:1])
void silu_add(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  u16 *x0 = args[0].ptr;
  u16 *x1 = args[1].ptr;
  u16 *out = args[2].ptr;
  for (i64 program = first; program < last; program++) {
    const i64 program_x = program % grid[0];
    const i64 smaller = min_i64(1088, program_x * -1088 + 2145);
    const i64 both = and_i64(max_i64(0, smaller), -16);
    const i64 product = program_x * 1088;
    // store out
    for (i64 i = 0; i < both; i += 16) {
      const i64 sum = product + i;
      const f32x16 converted = load_bf16x16(&x0[sum]);
      const f32x16 sum_2 = f32_to_bf16x16(converted * sigmoid_f32x16(converted)) + load_bf16x16(&x1[sum]);
      store_bf16x16(&out[sum], sum_2);
    }
    // store out
    for (i64 i = both; i < smaller; i += 16) {
      const i64 sum = product + i;
      const i64 smaller_2 = min_i64(16, smaller - i);
      const f32x16 converted = load_part_bf16x16(&x0[sum], smaller_2);
      const f32x16 sum_2 = f32_to_bf16x16(converted * sigmoid_f32x16(converted)) + load_part_bf16x16(&x1[sum], smaller_2);
      store_part_bf16x16(&out[sum], sum_2, smaller_2);
    }
  }
}
