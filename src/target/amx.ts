/** AMX: an x86 processor's products of tiles of 16 rows of 64 bytes, in C for the generated kernels and for what measures their limit. */

/** The instructions on tiles; whoever emulates them defines these macros first. Needs the types u8 and i64. */
export const tileInstructions = `// Tiles: the system lets a process use their registers on request.
#if defined(__AMX_BF16__) && defined(__AMX_INT8__) && defined(__linux__)
#define TILES 1
#ifndef TILE_LOAD
extern long syscall(long number, ...);
static int tiles_allowed;
static __attribute__((__constructor__)) void ask_for_tiles(void) {
  tiles_allowed = syscall(158, 0x1023, 18) == 0; // arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)
}
#define TILE_CONFIG(c) __asm__ volatile("ldtilecfg %0" : : "m"(c))
#define TILE_RELEASE() __asm__ volatile("tilerelease")
#define TILE_ZERO(t) __asm__ volatile("tilezero %%tmm" #t ::)
#define TILE_LOAD(t, p, pitch) \\
  __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #t : : "r"((const void *)(p)), "r"((i64)(pitch)) : "memory")
#define TILE_STORE(t, p, pitch) \\
  __asm__ volatile("tilestored %%tmm" #t ", (%0,%1,1)" : : "r"((void *)(p)), "r"((i64)(pitch)) : "memory")
#define TILE_DOT_bf16(s, a, b) __asm__ volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #s ::)
#define TILE_DOT_i8(s, a, b) __asm__ volatile("tdpbssd %%tmm" #b ", %%tmm" #a ", %%tmm" #s ::)
#endif
// Eight tiles of 16 rows of 64 bytes.
typedef struct { u8 palette, start, reserved[14]; u8 bytes[16][2]; u8 rows[16]; } tile_config;
static const tile_config whole_tiles = {
  1, 0, {0}, {{64}, {64}, {64}, {64}, {64}, {64}, {64}, {64}}, {16, 16, 16, 16, 16, 16, 16, 16}
};
#endif`
