// Golden text: run vitest -u to renew it.
// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

void row_softmax(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *x = args[0].ptr;
  f32 *out = args[1].ptr;
  const i64 n = args[2].i;
  for (i64 program = first; program < last; program++) {
    f32 *exps = (f32 *)scratch; // 1024 elements
    const i64 product = program % grid[0] * n;
    const i64x16 n_all = splat_i64x16(n);
    // row max
    f32x16 largest = splat_f32x16(-INFINITY);
    for (i64 i = 0; i < n; i += 16) {
      const b32x16 is_less = lt_i64x16(add_i64x16(splat_i64x16(i), iota_i64x16()), n_all);
      const f32x16 chosen = where_f32x16(is_less, load_part_f32x16(&x[product + i], n - i), splat_f32x16(-INFINITY));
      largest = max_f32x16(largest, chosen);
    }
    const f32x16 value_all = splat_f32x16(fold_max_f32x16(largest));
    // row sum
    f32x16 sums = splat_f32x16(0.0f);
    for (i64 i = 0; i < n; i += 16) {
      const f32x16 exp_ = exp_f32x16(load_part_f32x16(&x[product + i], n - i) - value_all);
      store_f32x16(&exps[i], exp_);
      const b32x16 is_less = lt_i64x16(add_i64x16(splat_i64x16(i), iota_i64x16()), n_all);
      sums = sums + where_f32x16(is_less, exp_, splat_f32x16(0.0f));
    }
    const f32x16 value_all_2 = splat_f32x16(fold_add_f32x16(sums));
    // scale
    for (i64 i = 0; i < n; i += 16) {
      store_part_f32x16(&out[product + i], load_f32x16(&exps[i]) / value_all_2, n - i);
    }
  }
}
