/*
b0 = input 0: f32
b1 = input 1: f32
b2 = input 2: f32
b3 = output: f32 × 16384
launch matmul_add_gelu[2](b0[64:128, 128:1], b1[256:128, 128:1], b2[256:1], b3[64:256, 256:1])  # matmul, add, gelu; 230400 bytes, 4636672 flops
return f32 b3[64:256, 256:1]
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
typedef float f32;
typedef f32 f32x16 __attribute__((vector_size(64)));
typedef __INT32_TYPE__ i32;
typedef i32 i32x16 __attribute__((vector_size(64)));
typedef __INT32_TYPE__ b32; // a bool: 0 or -1
typedef b32 b32x16 __attribute__((vector_size(64)));
typedef __UINT32_TYPE__ u32;
typedef u32 u32x16 __attribute__((vector_size(64)));

// Writes consecutive elements, at any alignment.
FN void store_f32x16(f32 *p, f32x16 v) { __builtin_memcpy(p, &v, sizeof v); }

// Reads consecutive elements, at any alignment.
FN f32x16 load_f32x16(const f32 *p) { f32x16 v; __builtin_memcpy(&v, p, sizeof v); return v; }

// The smaller.
FN i64 min_i64(i64 a, i64 b) {
  return a < b ? a : b;
}

// Interleaves the first halves.
FN f32x16 interleave_lo_f32x16(f32x16 a, f32x16 b) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
#else
  return __builtin_shuffle(a, b, (i32x16){0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23});
#endif
}

// Interleaves the second halves.
FN f32x16 interleave_hi_f32x16(f32x16 a, f32x16 b) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#else
  return __builtin_shuffle(a, b, (i32x16){8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31});
#endif
}

// Broadcasts the scalar to every lane.
FN f32x16 splat_f32x16(f32 x) { return x - (f32x16){0}; }

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

// m ? a : b, lane by lane.
FN f32x16 where_f32x16(b32x16 m, f32x16 a, f32x16 b) {
  i32x16 k = (i32x16)m;
  return (f32x16)((k & (i32x16)a) | (~k & (i32x16)b));
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

// The float with the given bits.
FN f32x16 from_bits_f32x16(i32x16 x) {
  return (f32x16)x;
}

// The float's bits.
FN i32x16 bits_f32x16(f32x16 x) {
  return (i32x16)x;
}

// |x|
FN f32x16 abs_f32x16(f32x16 x) {
  return from_bits_f32x16(bits_f32x16(x) & 0x7fffffff);
}

// The bits of i32, read as f32.
FN f32x16 i32_as_f32x16(i32x16 x) {
  return (f32x16)x;
}

// a << b; amounts outside [0, bits) give 0.
FN i32x16 shl_i32x16(i32x16 a, i32x16 b) {
  i32x16 inside = (i32x16)((u32x16)b < 32);
  return (i32x16)((u32x16)a << ((u32x16)b & 31)) & (i32x16)inside;
}

// The bits of f32, read as i32.
FN i32x16 f32_as_i32x16(f32x16 x) {
  return (i32x16)x;
}

// Broadcasts the scalar to every lane.
FN i32x16 splat_i32x16(i32 x) { return x - (i32x16){0}; }

// The magnitude of the first operand with the sign of the second.
FN f32x16 copysign_f32x16(f32x16 x, f32x16 sign) {
  return from_bits_f32x16((bits_f32x16(x) & 0x7fffffff) | (bits_f32x16(sign) & ~0x7fffffff));
}

// a < b; false if either is NaN.
FN b32x16 lt_f32x16(f32x16 a, f32x16 b) {
  return (b32x16)(a < b);
}

// Error function: an odd polynomial near 0, 1 - e^P(|x|) elsewhere.
FN f32x16 erf_f32x16(f32x16 x) {
  const f32x16 a = at_most_f32x16(abs_f32x16(x), 4.0f);
  const f32x16 s = x * x;
  const f32x16 p = fma_f32x16(splat_f32x16(-0.00059431454f), s, splat_f32x16(0.0049843793f));
  const f32x16 p_2 = fma_f32x16(fma_f32x16(p, s, splat_f32x16(-0.026761107f)), s, splat_f32x16(0.11281682f));
  const f32x16 p_3 = fma_f32x16(fma_f32x16(p_2, s, splat_f32x16(-0.37612483f)), s, splat_f32x16(0.12837915f));
  const f32x16 p_4 = fma_f32x16(splat_f32x16(0.00019401035f), a, splat_f32x16(-0.0030242477f));
  const f32x16 p_5 = fma_f32x16(fma_f32x16(p_4, a, splat_f32x16(0.022151006f)), a, splat_f32x16(-0.10377344f));
  const f32x16 p_6 = fma_f32x16(fma_f32x16(p_5, a, splat_f32x16(-0.63736326f)), a, splat_f32x16(-1.1275675f));
  const f32x16 p_7 = fma_f32x16(p_6, a, splat_f32x16(-0.00022195822f));
  const f32x16 t = fma_f32x16(p_7, splat_f32x16(1.442695f), splat_f32x16(12583039.0f));
  const f32x16 n = t - splat_f32x16(12583039.0f);
  const f32x16 r = fma_f32x16(n, splat_f32x16(1.9046542e-9f), fma_f32x16(n, splat_f32x16(-0.6931472f), p_7));
  const f32x16 p_8 = fma_f32x16(splat_f32x16(0.0013947575f), r, splat_f32x16(0.008367234f));
  const f32x16 p_9 = fma_f32x16(fma_f32x16(p_8, r, splat_f32x16(0.041666266f)), r, splat_f32x16(0.16666538f));
  const f32x16 sum = fma_f32x16(fma_f32x16(p_9, r, splat_f32x16(0.5f)) * r, r, r);
  const f32x16 s_2 = i32_as_f32x16(shl_i32x16(f32_as_i32x16(t), splat_i32x16(23)));
  const f32x16 far = copysign_f32x16(fma_f32x16(sum, s_2, s_2 - splat_f32x16(1.0f)), x);
  const f32x16 chosen = where_f32x16(lt_f32x16(a, splat_f32x16(0.9375f)), fma_f32x16(p_3, x, x), far);
  return chosen;
}

// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

// matmul_add_gelu(x0: view<f32>[64:128, 128:1], x1: view<f32>[256:128, 128:1], x2: view<f32>[256:1], out: view<f32>[64:256, 256:1])
void matmul_add_gelu(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *x0 = args[0].ptr;
  f32 *x1 = args[1].ptr;
  f32 *x2 = args[2].ptr;
  f32 *out = args[3].ptr;
  for (i64 program = first; program < last; program++) {
    f32 *rows = (f32 *)scratch; // 8192 elements
    f32 *panels = (f32 *)(scratch + 32768); // 16512 elements
    f32 *acc = (f32 *)(scratch + 98816); // 8192 elements
    // pack rows
    for (i64 i = 0; i < 64; i++) {
      const i64 product = i * 128;
      // pack rows
      for (i64 i_2 = 0; i_2 < 128; i_2 += 16) {
        const i64 sum = product + i_2;
        store_f32x16(&rows[sum], load_f32x16(&x0[sum]));
      }
    }
    const i64 product = min_i64(program % grid[0], 1) * 128;
    const i64 product_2 = product * 128;
    // pack b, transposed
    for (i64 j = 0; j < 128; j += 64) {
      const i64 product_3 = j * 129;
      // pack b, transposed
      for (i64 c = 0; c < 64; c += 16) {
        const i64 sum = j + c;
        const i64 sum_2 = product_2 + sum * 128;
        const i64 sum_3 = product_2 + (sum + 1) * 128;
        const i64 sum_4 = product_2 + (sum + 2) * 128;
        const i64 sum_5 = product_2 + (sum + 3) * 128;
        const i64 sum_6 = product_2 + (sum + 4) * 128;
        const i64 sum_7 = product_2 + (sum + 5) * 128;
        const i64 sum_8 = product_2 + (sum + 6) * 128;
        const i64 sum_9 = product_2 + (sum + 7) * 128;
        const i64 sum_10 = product_2 + (sum + 8) * 128;
        const i64 sum_11 = product_2 + (sum + 9) * 128;
        const i64 sum_12 = product_2 + (sum + 10) * 128;
        const i64 sum_13 = product_2 + (sum + 11) * 128;
        const i64 sum_14 = product_2 + (sum + 12) * 128;
        const i64 sum_15 = product_2 + (sum + 13) * 128;
        const i64 sum_16 = product_2 + (sum + 14) * 128;
        const i64 sum_17 = product_2 + (sum + 15) * 128;
        const i64 sum_18 = product_3 + c;
        // pack b, transposed
        for (i64 k = 0; k < 128; k += 16) {
          const f32x16 x1_v = load_f32x16(&x1[sum_2 + k]);
          const f32x16 x1_v_2 = load_f32x16(&x1[sum_3 + k]);
          const f32x16 x1_v_3 = load_f32x16(&x1[sum_4 + k]);
          const f32x16 x1_v_4 = load_f32x16(&x1[sum_5 + k]);
          const f32x16 x1_v_5 = load_f32x16(&x1[sum_6 + k]);
          const f32x16 x1_v_6 = load_f32x16(&x1[sum_7 + k]);
          const f32x16 x1_v_7 = load_f32x16(&x1[sum_8 + k]);
          const f32x16 x1_v_8 = load_f32x16(&x1[sum_9 + k]);
          const f32x16 x1_v_9 = load_f32x16(&x1[sum_10 + k]);
          const f32x16 x1_v_10 = load_f32x16(&x1[sum_11 + k]);
          const f32x16 x1_v_11 = load_f32x16(&x1[sum_12 + k]);
          const f32x16 x1_v_12 = load_f32x16(&x1[sum_13 + k]);
          const f32x16 x1_v_13 = load_f32x16(&x1[sum_14 + k]);
          const f32x16 x1_v_14 = load_f32x16(&x1[sum_15 + k]);
          const f32x16 x1_v_15 = load_f32x16(&x1[sum_16 + k]);
          const f32x16 x1_v_16 = load_f32x16(&x1[sum_17 + k]);
          const i64 sum_19 = sum_18 + k * 64;
          const f32x16 mixed = interleave_lo_f32x16(x1_v, x1_v_9);
          const f32x16 mixed_2 = interleave_lo_f32x16(x1_v_5, x1_v_13);
          const f32x16 mixed_3 = interleave_lo_f32x16(mixed, mixed_2);
          const f32x16 mixed_4 = interleave_lo_f32x16(x1_v_3, x1_v_11);
          const f32x16 mixed_5 = interleave_lo_f32x16(x1_v_7, x1_v_15);
          const f32x16 mixed_6 = interleave_lo_f32x16(mixed_4, mixed_5);
          const f32x16 mixed_7 = interleave_lo_f32x16(mixed_3, mixed_6);
          const f32x16 mixed_8 = interleave_lo_f32x16(x1_v_2, x1_v_10);
          const f32x16 mixed_9 = interleave_lo_f32x16(x1_v_6, x1_v_14);
          const f32x16 mixed_10 = interleave_lo_f32x16(mixed_8, mixed_9);
          const f32x16 mixed_11 = interleave_lo_f32x16(x1_v_4, x1_v_12);
          const f32x16 mixed_12 = interleave_lo_f32x16(x1_v_8, x1_v_16);
          const f32x16 mixed_13 = interleave_lo_f32x16(mixed_11, mixed_12);
          const f32x16 mixed_14 = interleave_lo_f32x16(mixed_10, mixed_13);
          store_f32x16(&panels[sum_19], interleave_lo_f32x16(mixed_7, mixed_14));
          store_f32x16(&panels[sum_19 + 64], interleave_hi_f32x16(mixed_7, mixed_14));
          const f32x16 mixed_15 = interleave_hi_f32x16(mixed_3, mixed_6);
          const f32x16 mixed_16 = interleave_hi_f32x16(mixed_10, mixed_13);
          store_f32x16(&panels[sum_19 + 128], interleave_lo_f32x16(mixed_15, mixed_16));
          store_f32x16(&panels[sum_19 + 192], interleave_hi_f32x16(mixed_15, mixed_16));
          const f32x16 mixed_17 = interleave_hi_f32x16(mixed, mixed_2);
          const f32x16 mixed_18 = interleave_hi_f32x16(mixed_4, mixed_5);
          const f32x16 mixed_19 = interleave_lo_f32x16(mixed_17, mixed_18);
          const f32x16 mixed_20 = interleave_hi_f32x16(mixed_8, mixed_9);
          const f32x16 mixed_21 = interleave_hi_f32x16(mixed_11, mixed_12);
          const f32x16 mixed_22 = interleave_lo_f32x16(mixed_20, mixed_21);
          store_f32x16(&panels[sum_19 + 256], interleave_lo_f32x16(mixed_19, mixed_22));
          store_f32x16(&panels[sum_19 + 320], interleave_hi_f32x16(mixed_19, mixed_22));
          const f32x16 mixed_23 = interleave_hi_f32x16(mixed_17, mixed_18);
          const f32x16 mixed_24 = interleave_hi_f32x16(mixed_20, mixed_21);
          store_f32x16(&panels[sum_19 + 384], interleave_lo_f32x16(mixed_23, mixed_24));
          store_f32x16(&panels[sum_19 + 448], interleave_hi_f32x16(mixed_23, mixed_24));
          const f32x16 mixed_25 = interleave_hi_f32x16(x1_v, x1_v_9);
          const f32x16 mixed_26 = interleave_hi_f32x16(x1_v_5, x1_v_13);
          const f32x16 mixed_27 = interleave_lo_f32x16(mixed_25, mixed_26);
          const f32x16 mixed_28 = interleave_hi_f32x16(x1_v_3, x1_v_11);
          const f32x16 mixed_29 = interleave_hi_f32x16(x1_v_7, x1_v_15);
          const f32x16 mixed_30 = interleave_lo_f32x16(mixed_28, mixed_29);
          const f32x16 mixed_31 = interleave_lo_f32x16(mixed_27, mixed_30);
          const f32x16 mixed_32 = interleave_hi_f32x16(x1_v_2, x1_v_10);
          const f32x16 mixed_33 = interleave_hi_f32x16(x1_v_6, x1_v_14);
          const f32x16 mixed_34 = interleave_lo_f32x16(mixed_32, mixed_33);
          const f32x16 mixed_35 = interleave_hi_f32x16(x1_v_4, x1_v_12);
          const f32x16 mixed_36 = interleave_hi_f32x16(x1_v_8, x1_v_16);
          const f32x16 mixed_37 = interleave_lo_f32x16(mixed_35, mixed_36);
          const f32x16 mixed_38 = interleave_lo_f32x16(mixed_34, mixed_37);
          store_f32x16(&panels[sum_19 + 512], interleave_lo_f32x16(mixed_31, mixed_38));
          store_f32x16(&panels[sum_19 + 576], interleave_hi_f32x16(mixed_31, mixed_38));
          const f32x16 mixed_39 = interleave_hi_f32x16(mixed_27, mixed_30);
          const f32x16 mixed_40 = interleave_hi_f32x16(mixed_34, mixed_37);
          store_f32x16(&panels[sum_19 + 640], interleave_lo_f32x16(mixed_39, mixed_40));
          store_f32x16(&panels[sum_19 + 704], interleave_hi_f32x16(mixed_39, mixed_40));
          const f32x16 mixed_41 = interleave_hi_f32x16(mixed_25, mixed_26);
          const f32x16 mixed_42 = interleave_hi_f32x16(mixed_28, mixed_29);
          const f32x16 mixed_43 = interleave_lo_f32x16(mixed_41, mixed_42);
          const f32x16 mixed_44 = interleave_hi_f32x16(mixed_32, mixed_33);
          const f32x16 mixed_45 = interleave_hi_f32x16(mixed_35, mixed_36);
          const f32x16 mixed_46 = interleave_lo_f32x16(mixed_44, mixed_45);
          store_f32x16(&panels[sum_19 + 768], interleave_lo_f32x16(mixed_43, mixed_46));
          store_f32x16(&panels[sum_19 + 832], interleave_hi_f32x16(mixed_43, mixed_46));
          const f32x16 mixed_47 = interleave_hi_f32x16(mixed_41, mixed_42);
          const f32x16 mixed_48 = interleave_hi_f32x16(mixed_44, mixed_45);
          store_f32x16(&panels[sum_19 + 896], interleave_lo_f32x16(mixed_47, mixed_48));
          store_f32x16(&panels[sum_19 + 960], interleave_hi_f32x16(mixed_47, mixed_48));
        }
      }
    }
    // dot columns
    for (i64 j = 0; j < 128; j += 64) {
      const i64 product_3 = j * 129;
      // dot rows
      for (i64 i = 0; i < 60; i += 6) {
        const i64 product_4 = i * 128;
        // dot
        f32x16 acc_2 = splat_f32x16(0.0f);
        f32x16 acc_3 = splat_f32x16(0.0f);
        f32x16 acc_4 = splat_f32x16(0.0f);
        f32x16 acc_5 = splat_f32x16(0.0f);
        f32x16 acc_6 = splat_f32x16(0.0f);
        f32x16 acc_7 = splat_f32x16(0.0f);
        f32x16 acc_8 = splat_f32x16(0.0f);
        f32x16 acc_9 = splat_f32x16(0.0f);
        f32x16 acc_10 = splat_f32x16(0.0f);
        f32x16 acc_11 = splat_f32x16(0.0f);
        f32x16 acc_12 = splat_f32x16(0.0f);
        f32x16 acc_13 = splat_f32x16(0.0f);
        f32x16 acc_14 = splat_f32x16(0.0f);
        f32x16 acc_15 = splat_f32x16(0.0f);
        f32x16 acc_16 = splat_f32x16(0.0f);
        f32x16 acc_17 = splat_f32x16(0.0f);
        f32x16 acc_18 = splat_f32x16(0.0f);
        f32x16 acc_19 = splat_f32x16(0.0f);
        f32x16 acc_20 = splat_f32x16(0.0f);
        f32x16 acc_21 = splat_f32x16(0.0f);
        f32x16 acc_22 = splat_f32x16(0.0f);
        f32x16 acc_23 = splat_f32x16(0.0f);
        f32x16 acc_24 = splat_f32x16(0.0f);
        f32x16 acc_25 = splat_f32x16(0.0f);
        for (i64 k = 0; k < 128; k++) {
          const i64 sum = product_3 + k * 64;
          const f32x16 panels_v = load_f32x16(&panels[sum]);
          const f32x16 panels_v_2 = load_f32x16(&panels[sum + 16]);
          const f32x16 panels_v_3 = load_f32x16(&panels[sum + 32]);
          const f32x16 panels_v_4 = load_f32x16(&panels[sum + 48]);
          const i64 sum_2 = product_4 + k;
          const f32x16 rows_all = splat_f32x16(rows[sum_2]);
          acc_2 = fma_f32x16(rows_all, panels_v, acc_2);
          acc_3 = fma_f32x16(rows_all, panels_v_2, acc_3);
          acc_4 = fma_f32x16(rows_all, panels_v_3, acc_4);
          acc_5 = fma_f32x16(rows_all, panels_v_4, acc_5);
          const f32x16 rows_all_2 = splat_f32x16(rows[sum_2 + 128]);
          acc_6 = fma_f32x16(rows_all_2, panels_v, acc_6);
          acc_7 = fma_f32x16(rows_all_2, panels_v_2, acc_7);
          acc_8 = fma_f32x16(rows_all_2, panels_v_3, acc_8);
          acc_9 = fma_f32x16(rows_all_2, panels_v_4, acc_9);
          const f32x16 rows_all_3 = splat_f32x16(rows[sum_2 + 256]);
          acc_10 = fma_f32x16(rows_all_3, panels_v, acc_10);
          acc_11 = fma_f32x16(rows_all_3, panels_v_2, acc_11);
          acc_12 = fma_f32x16(rows_all_3, panels_v_3, acc_12);
          acc_13 = fma_f32x16(rows_all_3, panels_v_4, acc_13);
          const f32x16 rows_all_4 = splat_f32x16(rows[sum_2 + 384]);
          acc_14 = fma_f32x16(rows_all_4, panels_v, acc_14);
          acc_15 = fma_f32x16(rows_all_4, panels_v_2, acc_15);
          acc_16 = fma_f32x16(rows_all_4, panels_v_3, acc_16);
          acc_17 = fma_f32x16(rows_all_4, panels_v_4, acc_17);
          const f32x16 rows_all_5 = splat_f32x16(rows[sum_2 + 512]);
          acc_18 = fma_f32x16(rows_all_5, panels_v, acc_18);
          acc_19 = fma_f32x16(rows_all_5, panels_v_2, acc_19);
          acc_20 = fma_f32x16(rows_all_5, panels_v_3, acc_20);
          acc_21 = fma_f32x16(rows_all_5, panels_v_4, acc_21);
          const f32x16 rows_all_6 = splat_f32x16(rows[sum_2 + 640]);
          acc_22 = fma_f32x16(rows_all_6, panels_v, acc_22);
          acc_23 = fma_f32x16(rows_all_6, panels_v_2, acc_23);
          acc_24 = fma_f32x16(rows_all_6, panels_v_3, acc_24);
          acc_25 = fma_f32x16(rows_all_6, panels_v_4, acc_25);
        }
        const i64 sum = product_4 + j;
        store_f32x16(&acc[sum], acc_2);
        store_f32x16(&acc[sum + 16], acc_3);
        store_f32x16(&acc[sum + 32], acc_4);
        store_f32x16(&acc[sum + 48], acc_5);
        store_f32x16(&acc[sum + 128], acc_6);
        store_f32x16(&acc[sum + 144], acc_7);
        store_f32x16(&acc[sum + 160], acc_8);
        store_f32x16(&acc[sum + 176], acc_9);
        store_f32x16(&acc[sum + 256], acc_10);
        store_f32x16(&acc[sum + 272], acc_11);
        store_f32x16(&acc[sum + 288], acc_12);
        store_f32x16(&acc[sum + 304], acc_13);
        store_f32x16(&acc[sum + 384], acc_14);
        store_f32x16(&acc[sum + 400], acc_15);
        store_f32x16(&acc[sum + 416], acc_16);
        store_f32x16(&acc[sum + 432], acc_17);
        store_f32x16(&acc[sum + 512], acc_18);
        store_f32x16(&acc[sum + 528], acc_19);
        store_f32x16(&acc[sum + 544], acc_20);
        store_f32x16(&acc[sum + 560], acc_21);
        store_f32x16(&acc[sum + 640], acc_22);
        store_f32x16(&acc[sum + 656], acc_23);
        store_f32x16(&acc[sum + 672], acc_24);
        store_f32x16(&acc[sum + 688], acc_25);
      }
      // dot
      f32x16 acc_2 = splat_f32x16(0.0f);
      f32x16 acc_3 = splat_f32x16(0.0f);
      f32x16 acc_4 = splat_f32x16(0.0f);
      f32x16 acc_5 = splat_f32x16(0.0f);
      f32x16 acc_6 = splat_f32x16(0.0f);
      f32x16 acc_7 = splat_f32x16(0.0f);
      f32x16 acc_8 = splat_f32x16(0.0f);
      f32x16 acc_9 = splat_f32x16(0.0f);
      f32x16 acc_10 = splat_f32x16(0.0f);
      f32x16 acc_11 = splat_f32x16(0.0f);
      f32x16 acc_12 = splat_f32x16(0.0f);
      f32x16 acc_13 = splat_f32x16(0.0f);
      f32x16 acc_14 = splat_f32x16(0.0f);
      f32x16 acc_15 = splat_f32x16(0.0f);
      f32x16 acc_16 = splat_f32x16(0.0f);
      f32x16 acc_17 = splat_f32x16(0.0f);
      for (i64 k = 0; k < 128; k++) {
        const i64 sum = product_3 + k * 64;
        const f32x16 panels_v = load_f32x16(&panels[sum]);
        const f32x16 panels_v_2 = load_f32x16(&panels[sum + 16]);
        const f32x16 panels_v_3 = load_f32x16(&panels[sum + 32]);
        const f32x16 panels_v_4 = load_f32x16(&panels[sum + 48]);
        const i64 sum_2 = 7680 + k;
        const f32x16 rows_all = splat_f32x16(rows[sum_2]);
        acc_2 = fma_f32x16(rows_all, panels_v, acc_2);
        acc_3 = fma_f32x16(rows_all, panels_v_2, acc_3);
        acc_4 = fma_f32x16(rows_all, panels_v_3, acc_4);
        acc_5 = fma_f32x16(rows_all, panels_v_4, acc_5);
        const f32x16 rows_all_2 = splat_f32x16(rows[sum_2 + 128]);
        acc_6 = fma_f32x16(rows_all_2, panels_v, acc_6);
        acc_7 = fma_f32x16(rows_all_2, panels_v_2, acc_7);
        acc_8 = fma_f32x16(rows_all_2, panels_v_3, acc_8);
        acc_9 = fma_f32x16(rows_all_2, panels_v_4, acc_9);
        const f32x16 rows_all_3 = splat_f32x16(rows[sum_2 + 256]);
        acc_10 = fma_f32x16(rows_all_3, panels_v, acc_10);
        acc_11 = fma_f32x16(rows_all_3, panels_v_2, acc_11);
        acc_12 = fma_f32x16(rows_all_3, panels_v_3, acc_12);
        acc_13 = fma_f32x16(rows_all_3, panels_v_4, acc_13);
        const f32x16 rows_all_4 = splat_f32x16(rows[sum_2 + 384]);
        acc_14 = fma_f32x16(rows_all_4, panels_v, acc_14);
        acc_15 = fma_f32x16(rows_all_4, panels_v_2, acc_15);
        acc_16 = fma_f32x16(rows_all_4, panels_v_3, acc_16);
        acc_17 = fma_f32x16(rows_all_4, panels_v_4, acc_17);
      }
      const i64 sum = 7680 + j;
      store_f32x16(&acc[sum], acc_2);
      store_f32x16(&acc[sum + 16], acc_3);
      store_f32x16(&acc[sum + 32], acc_4);
      store_f32x16(&acc[sum + 48], acc_5);
      store_f32x16(&acc[sum + 128], acc_6);
      store_f32x16(&acc[sum + 144], acc_7);
      store_f32x16(&acc[sum + 160], acc_8);
      store_f32x16(&acc[sum + 176], acc_9);
      store_f32x16(&acc[sum + 256], acc_10);
      store_f32x16(&acc[sum + 272], acc_11);
      store_f32x16(&acc[sum + 288], acc_12);
      store_f32x16(&acc[sum + 304], acc_13);
      store_f32x16(&acc[sum + 384], acc_14);
      store_f32x16(&acc[sum + 400], acc_15);
      store_f32x16(&acc[sum + 416], acc_16);
      store_f32x16(&acc[sum + 432], acc_17);
    }
    // store out
    for (i64 i = 0; i < 64; i++) {
      const i64 product_3 = i * 128;
      const i64 sum = product + i * 256;
      // store out
      for (i64 i_2 = 0; i_2 < 128; i_2 += 16) {
        const f32x16 sum_2 = load_f32x16(&acc[product_3 + i_2]) + load_f32x16(&x2[product + i_2]);
        const f32x16 sum_3 = erf_f32x16(sum_2 * splat_f32x16(0.70710677f)) + splat_f32x16(1.0f);
        store_f32x16(&out[sum + i_2], sum_2 * splat_f32x16(0.5f) * sum_3);
      }
    }
  }
}
