/*
b0 = input 0: f32
b1 = output: f32 × 64000
launch softmax_rows[8](b0[64:1000, 1000:1], b1[64:1000, 1000:1])  # softmax; 512000 bytes, 1344000 flops
return f32 b1[64:1000, 1000:1]
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
#define INFINITY __builtin_inff()
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
typedef __INT32_TYPE__ b32; // a bool: 0 or -1
typedef b32 b32x16 __attribute__((vector_size(64)));
typedef __INT32_TYPE__ i32;
typedef i32 i32x16 __attribute__((vector_size(64)));
typedef f32 f32x8 __attribute__((vector_size(32)));
typedef f32 f32x4 __attribute__((vector_size(16)));
typedef f32 f32x2 __attribute__((vector_size(8)));
typedef i32 i32x4 __attribute__((vector_size(16)));
typedef b32 b32x2 __attribute__((vector_size(8)));
typedef i32 i32x2 __attribute__((vector_size(8)));
typedef b32 b32x4 __attribute__((vector_size(16)));
typedef b32 b32x8 __attribute__((vector_size(32)));
typedef i32 i32x8 __attribute__((vector_size(32)));
typedef __UINT32_TYPE__ u32;
typedef u32 u32x16 __attribute__((vector_size(64)));

// The smaller.
FN i64 min_i64(i64 a, i64 b) {
  return a < b ? a : b;
}

// Broadcasts the scalar to every lane.
FN f32x16 splat_f32x16(f32 x) { return x - (f32x16){0}; }

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

// a < b; false if either is NaN.
FN b32x16 lt_i32x16(i32x16 a, i32x16 b) {
  return (b32x16)(a < b);
}

// 0, 1, 2, …
FN i32x16 iota_i32x16(void) { return (i32x16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}; }

// Broadcasts the scalar to every lane.
FN i32x16 splat_i32x16(i32 x) { return x - (i32x16){0}; }

// From i64.
FN i32 i64_to_i32(i64 x) {
  return (i32)x;
}

// a + b
FN f32 add_f32(f32 a, f32 b) {
  return a + b;
}

// Sum of all lanes, pairwise.
FN f32 fold_add_f32x2(f32x2 v) { return add_f32(v[0], v[1]); }

// a + b
FN f32x2 add_f32x2(f32x2 a, f32x2 b) {
  return a + b;
}

// The first half of the lanes.
FN f32x2 lo_f32x4(f32x4 v) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 0, 1);
#else
  union { f32x4 whole; f32x2 part[2]; } u = {v};
  return u.part[0];
#endif
}

// The second half of the lanes.
FN f32x2 hi_f32x4(f32x4 v) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 2, 3);
#else
  union { f32x4 whole; f32x2 part[2]; } u = {v};
  return u.part[1];
#endif
}

// Sum of all lanes, pairwise.
FN f32 fold_add_f32x4(f32x4 v) { return fold_add_f32x2(add_f32x2(lo_f32x4(v), hi_f32x4(v))); }

// a + b
FN f32x4 add_f32x4(f32x4 a, f32x4 b) {
  return a + b;
}

// The first half of the lanes.
FN f32x4 lo_f32x8(f32x8 v) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 0, 1, 2, 3);
#else
  union { f32x8 whole; f32x4 part[2]; } u = {v};
  return u.part[0];
#endif
}

// The second half of the lanes.
FN f32x4 hi_f32x8(f32x8 v) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 4, 5, 6, 7);
#else
  union { f32x8 whole; f32x4 part[2]; } u = {v};
  return u.part[1];
#endif
}

// Sum of all lanes, pairwise.
FN f32 fold_add_f32x8(f32x8 v) { return fold_add_f32x4(add_f32x4(lo_f32x8(v), hi_f32x8(v))); }

// a + b
FN f32x8 add_f32x8(f32x8 a, f32x8 b) {
  return a + b;
}

// The first half of the lanes.
FN f32x8 lo_f32x16(f32x16 v) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  union { f32x16 whole; f32x8 part[2]; } u = {v};
  return u.part[0];
#endif
}

// The second half of the lanes.
FN f32x8 hi_f32x16(f32x16 v) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  union { f32x16 whole; f32x8 part[2]; } u = {v};
  return u.part[1];
#endif
}

// Sum of all lanes, pairwise.
FN f32 fold_add_f32x16(f32x16 v) { return fold_add_f32x8(add_f32x8(lo_f32x16(v), hi_f32x16(v))); }

// The maximum lane of a vector; ignores NaN.
#if GCC_AVX512
FN f32 ordered_max_f32x4(f32x4 v) {
  v = __builtin_ia32_rangeps128_mask(v, __builtin_shuffle(v, (i32x4){2, 3, 0, 1}), 5, v, -1);
  v = __builtin_ia32_rangeps128_mask(v, __builtin_shuffle(v, (i32x4){1, 0, 3, 2}), 5, v, -1);
  return v[0];
}
#endif

// The maximum lane of a vector; ignores NaN.
#if GCC_AVX512
FN f32 ordered_max_f32x8(f32x8 v) { return ordered_max_f32x4(__builtin_ia32_rangeps128_mask(lo_f32x8(v), hi_f32x8(v), 5, lo_f32x8(v), -1)); }
#endif

// The maximum lane of a vector; ignores NaN.
#if GCC_AVX512
FN f32 ordered_max_f32x16(f32x16 v) { return ordered_max_f32x8(__builtin_ia32_rangeps256_mask(lo_f32x16(v), hi_f32x16(v), 5, lo_f32x16(v), -1)); }
#endif

// The float with the given bits.
FN f32 from_bits_f32(i32 x) {
  f32 r;
  __builtin_memcpy(&r, &x, sizeof r);
  return r;
}

// The float's bits.
FN i32 bits_f32(f32 x) {
  i32 r;
  __builtin_memcpy(&r, &x, sizeof r);
  return r;
}

// Maximum; NaN if either is NaN; -0 < +0.
FN f32 max_f32(f32 a, f32 b) {
  if (!(a < b || a > b)) return a == b ? from_bits_f32(bits_f32(a) & bits_f32(b)) : a + b;
  return a > b ? a : b;
}

// Maximum lane; NaN if any is NaN.
FN f32 fold_max_f32x2(f32x2 v) { return max_f32(v[0], v[1]); }

// m ? a : b, lane by lane.
FN f32x2 where_f32x2(b32x2 m, f32x2 a, f32x2 b) {
  i32x2 k = (i32x2)m;
  return (f32x2)((k & (i32x2)a) | (~k & (i32x2)b));
}

// a > b; false if either is NaN.
FN b32x2 gt_f32x2(f32x2 a, f32x2 b) {
  return (b32x2)(a > b);
}

// a == b; false if either is NaN.
FN b32x2 eq_f32x2(f32x2 a, f32x2 b) {
  return (b32x2)(a == b);
}

// The float with the given bits.
FN f32x2 from_bits_f32x2(i32x2 x) {
  return (f32x2)x;
}

// The float's bits.
FN i32x2 bits_f32x2(f32x2 x) {
  return (i32x2)x;
}

// Bitwise or; of bools: either.
FN b32x2 or_b32x2(b32x2 a, b32x2 b) {
  return a | b;
}

// a != b; true if either is NaN.
FN b32x2 ne_f32x2(f32x2 a, f32x2 b) {
  return (b32x2)(a != b);
}

// True if either is NaN.
FN b32x2 unordered_f32x2(f32x2 a, f32x2 b) {
  return or_b32x2(ne_f32x2(a, a), ne_f32x2(b, b));
}

// Maximum; NaN if either is NaN; -0 < +0.
FN f32x2 max_f32x2(f32x2 a, f32x2 b) {
  f32x2 r = where_f32x2(gt_f32x2(a, b), a, b);
  r = where_f32x2(eq_f32x2(a, b), from_bits_f32x2(bits_f32x2(a) & bits_f32x2(b)), r);
  return where_f32x2(unordered_f32x2(a, b), a + b, r);
}

// Maximum lane; NaN if any is NaN.
FN f32 fold_max_f32x4(f32x4 v) {
#if GCC_AVX512
  return __builtin_expect(__builtin_ia32_cmpps128_mask(v, v, 3, -1) != 0, 0) ? fold_add_f32x4(v) : ordered_max_f32x4(v);
#else
  return fold_max_f32x2(max_f32x2(lo_f32x4(v), hi_f32x4(v)));
#endif
}

// m ? a : b, lane by lane.
FN f32x4 where_f32x4(b32x4 m, f32x4 a, f32x4 b) {
  i32x4 k = (i32x4)m;
  return (f32x4)((k & (i32x4)a) | (~k & (i32x4)b));
}

// Bitwise or; of bools: either.
FN b32x4 or_b32x4(b32x4 a, b32x4 b) {
  return a | b;
}

// a != b; true if either is NaN.
FN b32x4 ne_f32x4(f32x4 a, f32x4 b) {
  return (b32x4)(a != b);
}

// True if either is NaN.
FN b32x4 unordered_f32x4(f32x4 a, f32x4 b) {
  return or_b32x4(ne_f32x4(a, a), ne_f32x4(b, b));
}

// a > b; false if either is NaN.
FN b32x4 gt_f32x4(f32x4 a, f32x4 b) {
  return (b32x4)(a > b);
}

// a == b; false if either is NaN.
FN b32x4 eq_f32x4(f32x4 a, f32x4 b) {
  return (b32x4)(a == b);
}

// The float with the given bits.
FN f32x4 from_bits_f32x4(i32x4 x) {
  return (f32x4)x;
}

// The float's bits.
FN i32x4 bits_f32x4(f32x4 x) {
  return (i32x4)x;
}

// Maximum; NaN if either is NaN; -0 < +0.
FN f32x4 max_f32x4(f32x4 a, f32x4 b) {
#if GCC_AVX512
  return where_f32x4(unordered_f32x4(a, b), a + b, __builtin_ia32_rangeps128_mask(a, b, 5, a, -1));
#else
  f32x4 r = where_f32x4(gt_f32x4(a, b), a, b);
  r = where_f32x4(eq_f32x4(a, b), from_bits_f32x4(bits_f32x4(a) & bits_f32x4(b)), r);
  return where_f32x4(unordered_f32x4(a, b), a + b, r);
#endif
}

// Maximum lane; NaN if any is NaN.
FN f32 fold_max_f32x8(f32x8 v) {
#if GCC_AVX512
  return __builtin_expect(__builtin_ia32_cmpps256_mask(v, v, 3, -1) != 0, 0) ? fold_add_f32x8(v) : ordered_max_f32x8(v);
#else
  return fold_max_f32x4(max_f32x4(lo_f32x8(v), hi_f32x8(v)));
#endif
}

// m ? a : b, lane by lane.
FN f32x8 where_f32x8(b32x8 m, f32x8 a, f32x8 b) {
  i32x8 k = (i32x8)m;
  return (f32x8)((k & (i32x8)a) | (~k & (i32x8)b));
}

// Bitwise or; of bools: either.
FN b32x8 or_b32x8(b32x8 a, b32x8 b) {
  return a | b;
}

// a != b; true if either is NaN.
FN b32x8 ne_f32x8(f32x8 a, f32x8 b) {
  return (b32x8)(a != b);
}

// True if either is NaN.
FN b32x8 unordered_f32x8(f32x8 a, f32x8 b) {
  return or_b32x8(ne_f32x8(a, a), ne_f32x8(b, b));
}

// a > b; false if either is NaN.
FN b32x8 gt_f32x8(f32x8 a, f32x8 b) {
  return (b32x8)(a > b);
}

// a == b; false if either is NaN.
FN b32x8 eq_f32x8(f32x8 a, f32x8 b) {
  return (b32x8)(a == b);
}

// The float with the given bits.
FN f32x8 from_bits_f32x8(i32x8 x) {
  return (f32x8)x;
}

// The float's bits.
FN i32x8 bits_f32x8(f32x8 x) {
  return (i32x8)x;
}

// Maximum; NaN if either is NaN; -0 < +0.
FN f32x8 max_f32x8(f32x8 a, f32x8 b) {
#if GCC_AVX512
  return where_f32x8(unordered_f32x8(a, b), a + b, __builtin_ia32_rangeps256_mask(a, b, 5, a, -1));
#else
  f32x8 r = where_f32x8(gt_f32x8(a, b), a, b);
  r = where_f32x8(eq_f32x8(a, b), from_bits_f32x8(bits_f32x8(a) & bits_f32x8(b)), r);
  return where_f32x8(unordered_f32x8(a, b), a + b, r);
#endif
}

// Maximum lane; NaN if any is NaN.
FN f32 fold_max_f32x16(f32x16 v) {
#if GCC_AVX512
  return __builtin_expect(__builtin_ia32_cmpps512_mask(v, v, 3, -1, 4) != 0, 0) ? fold_add_f32x16(v) : ordered_max_f32x16(v);
#else
  return fold_max_f32x8(max_f32x8(lo_f32x16(v), hi_f32x16(v)));
#endif
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

// softmax_rows(x0: view<f32>[64:1000, 1000:1], out: view<f32>[64:1000, 1000:1])
void softmax_rows(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *x0 = args[0].ptr;
  f32 *out = args[1].ptr;
  for (i64 program = first; program < last; program++) {
    f32 *maxs = (f32 *)scratch; // 8 elements
    f32 *exp_2 = (f32 *)(scratch + 64); // 8000 elements
    f32 *adds = (f32 *)(scratch + 32064); // 8 elements
    const i64 product = min_i64(program % grid[0], 7) * 8 * 1000;
    // max
    for (i64 i = 0; i < 8; i++) {
      const i64 sum = product + i * 1000;
      // max
      f32x16 acc = splat_f32x16(-INFINITY);
      f32x16 acc_2 = splat_f32x16(-INFINITY);
      f32x16 acc_3 = splat_f32x16(-INFINITY);
      f32x16 acc_4 = splat_f32x16(-INFINITY);
      for (i64 i_2 = 0; i_2 < 960; i_2 += 64) {
        acc = max_f32x16(acc, load_f32x16(&x0[sum + i_2]));
        acc_2 = max_f32x16(acc_2, load_f32x16(&x0[sum + (i_2 + 16)]));
        acc_3 = max_f32x16(acc_3, load_f32x16(&x0[sum + (i_2 + 32)]));
        acc_4 = max_f32x16(acc_4, load_f32x16(&x0[sum + (i_2 + 48)]));
      }
      const f32x16 larger = max_f32x16(max_f32x16(max_f32x16(acc, acc_2), acc_3), acc_4);
      // max
      f32x16 acc_5 = larger;
      for (i64 i_2 = 960; i_2 < 1000; i_2 += 16) {
        const i64 smaller = min_i64(16, 1000 - i_2);
        const b32x16 is_less = lt_i32x16(iota_i32x16(), splat_i32x16(i64_to_i32(smaller)));
        const f32x16 chosen = where_f32x16(is_less, load_part_f32x16(&x0[sum + i_2], smaller), splat_f32x16(-INFINITY));
        acc_5 = max_f32x16(acc_5, chosen);
      }
      maxs[i] = fold_max_f32x16(acc_5);
    }
    const b32x16 is_less = lt_i32x16(iota_i32x16(), splat_i32x16(8));
    // keep exp; sum
    for (i64 i = 0; i < 8; i++) {
      const i64 product_2 = i * 1000;
      const i64 sum = product + product_2;
      const f32x16 maxs_all = splat_f32x16(maxs[i]);
      // keep exp; sum
      f32x16 acc = splat_f32x16(0.0f);
      f32x16 acc_2 = splat_f32x16(0.0f);
      for (i64 i_2 = 0; i_2 < 992; i_2 += 32) {
        const f32x16 exp_ = exp_f32x16(load_f32x16(&x0[sum + i_2]) - maxs_all);
        store_f32x16(&exp_2[product_2 + i_2], exp_);
        const i64 sum_2 = i_2 + 16;
        const f32x16 exp__2 = exp_f32x16(load_f32x16(&x0[sum + sum_2]) - maxs_all);
        store_f32x16(&exp_2[product_2 + sum_2], exp__2);
        acc = acc + exp_;
        acc_2 = acc_2 + exp__2;
      }
      const f32x16 exp_ = exp_f32x16(load_part_f32x16(&x0[sum + 992], 8) - maxs_all);
      store_part_f32x16(&exp_2[product_2 + 992], exp_, 8);
      const f32x16 sum_2 = acc + acc_2 + where_f32x16(is_less, exp_, splat_f32x16(0.0f));
      adds[i] = fold_add_f32x16(sum_2);
    }
    // store out
    for (i64 i = 0; i < 8; i++) {
      const i64 product_2 = i * 1000;
      const i64 sum = product + product_2;
      const f32x16 adds_all = splat_f32x16(adds[i]);
      // store out
      for (i64 i_2 = 0; i_2 < 992; i_2 += 16) {
        store_f32x16(&out[sum + i_2], load_f32x16(&exp_2[product_2 + i_2]) / adds_all);
      }
      store_part_f32x16(&out[sum + 992], load_part_f32x16(&exp_2[product_2 + 992], 8) / adds_all, 8);
    }
  }
}
