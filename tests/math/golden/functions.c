// e^x
FN f32x8 exp_f32x8(f32x8 x) {
#if GCC_SCALE
  const f32x8 bounded = at_least_f32x8(at_most_f32x8(x, 91.0f), -105.0f);
  const f32x8 t = fma_f32x8(bounded, splat_f32x8(1.442695f), splat_f32x8(12582912.0f));
  const f32x8 n = t - splat_f32x8(12582912.0f);
  const f32x8 r = fma_f32x8(n, splat_f32x8(1.9046542e-9f), fma_f32x8(n, splat_f32x8(-0.6931472f), bounded));
  const f32x8 p = fma_f32x8(splat_f32x8(0.0013947575f), r, splat_f32x8(0.008367234f));
  const f32x8 p_2 = fma_f32x8(fma_f32x8(p, r, splat_f32x8(0.041666266f)), r, splat_f32x8(0.16666538f));
  const f32x8 p_3 = fma_f32x8(fma_f32x8(p_2, r, splat_f32x8(0.5f)), r, splat_f32x8(1.0f));
  return scale_f32x8(fma_f32x8(p_3, r, splat_f32x8(1.0f)), n);
#else
  const f32x8 bounded = at_least_f32x8(at_most_f32x8(x, 91.0f), -105.0f);
  const f32x8 t = fma_f32x8(bounded, splat_f32x8(1.442695f), splat_f32x8(12582912.0f));
  const f32x8 n = t - splat_f32x8(12582912.0f);
  const f32x8 r = fma_f32x8(n, splat_f32x8(1.9046542e-9f), fma_f32x8(n, splat_f32x8(-0.6931472f), bounded));
  const f32x8 p = fma_f32x8(splat_f32x8(0.0013947575f), r, splat_f32x8(0.008367234f));
  const f32x8 p_2 = fma_f32x8(fma_f32x8(p, r, splat_f32x8(0.041666266f)), r, splat_f32x8(0.16666538f));
  const f32x8 p_3 = fma_f32x8(fma_f32x8(p_2, r, splat_f32x8(0.5f)), r, splat_f32x8(1.0f));
  const i32x8 k = sub_i32x8(f32_as_i32x8(t), splat_i32x8(1262485504));
  const i32x8 half = shr_i32x8(k, splat_i32x8(1));
  const i32x8 shl_ = shl_i32x8(add_i32x8(half, splat_i32x8(127)), splat_i32x8(23));
  const f32x8 product = fma_f32x8(p_3, r, splat_f32x8(1.0f)) * i32_as_f32x8(shl_);
  const i32x8 shl__2 = shl_i32x8(add_i32x8(sub_i32x8(k, half), splat_i32x8(127)), splat_i32x8(23));
  return product * i32_as_f32x8(shl__2);
#endif
}

// Hyperbolic tangent: (e^2a - 1) / (e^2a + 1) of a = |x|.
FN f32x8 tanh_f32x8(f32x8 x) {
  const f32x8 product = at_most_f32x8(abs_f32x8(x), 10.0f) * splat_f32x8(2.0f);
  const f32x8 t = fma_f32x8(product, splat_f32x8(1.442695f), splat_f32x8(12583039.0f));
  const f32x8 n = t - splat_f32x8(12583039.0f);
  const f32x8 r = fma_f32x8(n, splat_f32x8(1.9046542e-9f), fma_f32x8(n, splat_f32x8(-0.6931472f), product));
  const f32x8 p = fma_f32x8(splat_f32x8(0.0013947575f), r, splat_f32x8(0.008367234f));
  const f32x8 p_2 = fma_f32x8(fma_f32x8(p, r, splat_f32x8(0.041666266f)), r, splat_f32x8(0.16666538f));
  const f32x8 sum = fma_f32x8(fma_f32x8(p_2, r, splat_f32x8(0.5f)) * r, r, r);
  const f32x8 s = i32_as_f32x8(shl_i32x8(f32_as_i32x8(t), splat_i32x8(23)));
  const f32x8 t_2 = fma_f32x8(sum, s, s - splat_f32x8(1.0f));
  return copysign_f32x8(t_2 / (t_2 + splat_f32x8(2.0f)), x);
}

// Natural logarithm.
FN f32x8 log_f32x8(f32x8 x) {
  const b32x8 both = and_b32x8(gt_f32x8(x, splat_f32x8(0.0f)), lt_f32x8(x, splat_f32x8(INFINITY)));
  const b32x8 is_less = lt_f32x8(x, splat_f32x8(1.1754944e-38f));
  const i32x8 converted = f32_as_i32x8(where_f32x8(is_less, x * splat_f32x8(8388608.0f), x));
  const i32x8 exponent = and_i32x8(sub_i32x8(converted, splat_i32x8(1059760811)), splat_i32x8(-8388608));
  const f32x8 chosen = where_f32x8(is_less, splat_f32x8(-23.0f), splat_f32x8(0.0f));
  const f32x8 e = fma_f32x8(i32_to_f32x8(exponent), splat_f32x8(1.1920929e-7f), chosen);
  const f32x8 f = i32_as_f32x8(sub_i32x8(converted, exponent)) - splat_f32x8(1.0f);
  const f32x8 p = fma_f32x8(splat_f32x8(-0.12950358f), f, splat_f32x8(0.1400598f));
  const f32x8 p_2 = fma_f32x8(fma_f32x8(p, f, splat_f32x8(-0.12166858f)), f, splat_f32x8(0.14000937f));
  const f32x8 p_3 = fma_f32x8(fma_f32x8(p_2, f, splat_f32x8(-0.16682325f)), f, splat_f32x8(0.20010759f));
  const f32x8 p_4 = fma_f32x8(fma_f32x8(p_3, f, splat_f32x8(-0.24999717f)), f, splat_f32x8(0.3333321f));
  const f32x8 sum = fma_f32x8(e, splat_f32x8(-1.9046542e-9f), f * f * fma_f32x8(p_4, f, splat_f32x8(-0.5f)));
  const f32x8 chosen_2 = where_f32x8(lt_f32x8(x, splat_f32x8(0.0f)), splat_f32x8(NAN), x);
  const f32x8 chosen_3 = where_f32x8(eq_f32x8(x, splat_f32x8(0.0f)), splat_f32x8(-INFINITY), chosen_2);
  const f32x8 chosen_4 = where_f32x8(both, fma_f32x8(e, splat_f32x8(0.6931472f), f + sum), chosen_3);
  return chosen_4;
}

// Sine.
FN f32x8 sin_f32x8(f32x8 x) {
  const b32x8 is_at_least = ge_f32x8(abs_f32x8(x), splat_f32x8(1099511600000.0f));
  const f64x8 converted = f32_to_f64x8(x);
  const f64x8 t = fma_f64x8(converted, splat_f64x8(0.6366197723675814), splat_f64x8(6755399441055744.0));
  const i32x8 q = i64_to_i32x8(f64_as_i64x8(t));
  const f64x8 n = t - splat_f64x8(6755399441055744.0);
  const f64x8 sum = fma_f64x8(n, splat_f64x8(-1.5707963267948966), converted);
  const f32x8 r = f64_to_f32x8(fma_f64x8(n, splat_f64x8(-6.123233995736766e-17), sum));
  const f32x8 s = r * r;
  const f32x8 p = fma_f32x8(splat_f32x8(0.00002443838f), s, splat_f32x8(-0.0013887367f));
  const f32x8 cosine = fma_f32x8(fma_f32x8(p, s, splat_f32x8(0.041666646f)) * s, s, fma_f32x8(s, splat_f32x8(-0.5f), splat_f32x8(1.0f)));
  const f32x8 p_2 = fma_f32x8(splat_f32x8(-0.00019517235f), s, splat_f32x8(0.008332178f));
  const f32x8 sine = fma_f32x8(fma_f32x8(p_2, s, splat_f32x8(-0.16666655f)) * s, r, r);
  const f32x8 chosen = where_f32x8(ne_i32x8(and_i32x8(q, splat_i32x8(1)), splat_i32x8(0)), cosine, sine);
  const i32x8 xor_ = xor_i32x8(f32_as_i32x8(chosen), shl_i32x8(and_i32x8(q, splat_i32x8(2)), splat_i32x8(30)));
  const f32x8 converted_2 = i32_as_f32x8(xor_);
  f32x8 chosen_2;
  if (any_b32x8(is_at_least)) {
    chosen_2 = where_f32x8(is_at_least, libm_sin_f32x8(x), converted_2);
  }
  else {
    chosen_2 = converted_2;
  }
  return where_f32x8(eq_f32x8(x, splat_f32x8(0.0f)), x, chosen_2);
}

// Remainder with the sign of b (torch.remainder); of integers by 0, 0.
FN f32x8 mod_f32x8(f32x8 a, f32x8 b) {
  const f32x8 rest = fmod_f32x8(a, b);
  const b32x8 differs = ne_b32x8(lt_f32x8(rest, splat_f32x8(0.0f)), lt_f32x8(b, splat_f32x8(0.0f)));
  const f32x8 chosen = where_f32x8(eq_f32x8(rest, splat_f32x8(0.0f)), copysign_f32x8(splat_f32x8(0.0f), b), where_f32x8(differs, rest + b, rest));
  return chosen;
}
