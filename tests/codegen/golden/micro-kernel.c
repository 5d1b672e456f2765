// Golden text: run vitest -u to renew it.
// An argument of a kernel: a pointer, an integer (or bool) or a float.
typedef union { void *ptr; i64 i; f64 f; } tg_arg;

void micro_kernel(const tg_arg *args, const i64 grid[3], i64 first, i64 last, char *restrict scratch) {
  f32 *a = args[0].ptr;
  f32 *b = args[1].ptr;
  f32 *acc = args[2].ptr;
  const i64 depth = args[3].i;
  for (i64 program = first; program < last; program++) {
    // depth
    f32x16 acc_0_0 = load_f32x16(acc);
    f32x16 acc_0_1 = load_f32x16(&acc[16]);
    f32x16 acc_1_0 = load_f32x16(&acc[32]);
    f32x16 acc_1_1 = load_f32x16(&acc[48]);
    f32x16 acc_2_0 = load_f32x16(&acc[64]);
    f32x16 acc_2_1 = load_f32x16(&acc[80]);
    f32x16 acc_3_0 = load_f32x16(&acc[96]);
    f32x16 acc_3_1 = load_f32x16(&acc[112]);
    for (i64 i = 0; i < depth; i++) {
      const i64 product = i * 32;
      const f32x16 b_v = load_f32x16(&b[product]);
      const f32x16 b_v_2 = load_f32x16(&b[product + 16]);
      const i64 product_2 = i * 4;
      const f32x16 a_all = splat_f32x16(a[product_2]);
      acc_0_0 = fma_f32x16(a_all, b_v, acc_0_0);
      acc_0_1 = fma_f32x16(a_all, b_v_2, acc_0_1);
      const f32x16 a_all_2 = splat_f32x16(a[product_2 + 1]);
      acc_1_0 = fma_f32x16(a_all_2, b_v, acc_1_0);
      acc_1_1 = fma_f32x16(a_all_2, b_v_2, acc_1_1);
      const f32x16 a_all_3 = splat_f32x16(a[product_2 + 2]);
      acc_2_0 = fma_f32x16(a_all_3, b_v, acc_2_0);
      acc_2_1 = fma_f32x16(a_all_3, b_v_2, acc_2_1);
      const f32x16 a_all_4 = splat_f32x16(a[product_2 + 3]);
      acc_3_0 = fma_f32x16(a_all_4, b_v, acc_3_0);
      acc_3_1 = fma_f32x16(a_all_4, b_v_2, acc_3_1);
    }
    store_f32x16(acc, acc_0_0);
    store_f32x16(&acc[16], acc_0_1);
    store_f32x16(&acc[32], acc_1_0);
    store_f32x16(&acc[48], acc_1_1);
    store_f32x16(&acc[64], acc_2_0);
    store_f32x16(&acc[80], acc_2_1);
    store_f32x16(&acc[96], acc_3_0);
    store_f32x16(&acc[112], acc_3_1);
  }
}
