// Golden text: run vitest -u to renew it.
// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

void add_relu_mul(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *x = args[0].ptr;
  f32 *y = args[1].ptr;
  f32 *z = args[2].ptr;
  f32 *out = args[3].ptr;
  const i64 n = args[4].i;
  for (i64 program = first; program < last; program++) {
    const i64 product = program % grid[0] * 256;
    const i64 smaller = min_i64(product + 256, n);
    const i64 difference = smaller - mod_i64(smaller - product, 16);
    for (i64 i = product; i < difference; i += 16) {
      const f32x16 larger = max_f32x16(load_f32x16(&x[i]) + load_f32x16(&y[i]), splat_f32x16(0.0f));
      store_f32x16(&out[i], larger * load_f32x16(&z[i]));
    }
    if (difference < smaller) {
      const i64 difference_2 = smaller - difference;
      const f32x16 sum = load_part_f32x16(&x[difference], difference_2) + load_part_f32x16(&y[difference], difference_2);
      const f32x16 product_2 = max_f32x16(sum, splat_f32x16(0.0f)) * load_part_f32x16(&z[difference], difference_2);
      store_part_f32x16(&out[difference], product_2, difference_2);
    }
  }
}
