// Tiles of AMX by loops, for machines that have none: configured rows and bytes, products as the instructions define them.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const int tiles_allowed = 1;
typedef struct { uint8_t palette, start, reserved[14]; uint16_t bytes[16]; uint8_t rows[16]; } emulated_config;
static emulated_config tiles;
static uint8_t tile[8][16][64];

static inline void tile_config_emulated(const void *config) {
  memcpy(&tiles, config, sizeof tiles);
  if (sizeof tiles != 64 || tiles.palette != 1) abort();
  for (int t = 0; t < 8; t++) if (tiles.rows[t] > 16 || tiles.bytes[t] > 64) abort();
}
static inline void tile_move(int t, void *memory, int64_t pitch, int loads) {
  if (tiles.palette == 0) abort();
  if (loads) memset(tile[t], 0, sizeof tile[t]);
  for (int row = 0; row < tiles.rows[t]; row++) {
    uint8_t *at = (uint8_t *)memory + row * pitch;
    memcpy(loads ? tile[t][row] : at, loads ? at : tile[t][row], tiles.bytes[t]);
  }
}
static inline float tile_bf16(const uint8_t *from) {
  uint16_t code;
  memcpy(&code, from, 2);
  uint32_t bits = (uint32_t)code << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
static inline void tile_dot(int s, int a, int b, int is_bf16) {
  for (int m = 0; m < tiles.rows[s]; m++)
    for (int k = 0; k < tiles.bytes[a] / 4; k++)
      for (int n = 0; n < tiles.bytes[s] / 4; n++) {
        uint8_t *x = &tile[a][m][4 * k], *y = &tile[b][k][4 * n];
        if (is_bf16) {
          float sum;
          memcpy(&sum, &tile[s][m][4 * n], 4);
          sum += tile_bf16(x) * tile_bf16(y);
          sum += tile_bf16(x + 2) * tile_bf16(y + 2);
          memcpy(&tile[s][m][4 * n], &sum, 4);
        } else {
          int32_t sum;
          memcpy(&sum, &tile[s][m][4 * n], 4);
          for (int i = 0; i < 4; i++) sum += (int8_t)x[i] * (int8_t)y[i];
          memcpy(&tile[s][m][4 * n], &sum, 4);
        }
      }
}
#define TILE_CONFIG(c) tile_config_emulated(&(c))
#define TILE_RELEASE() (tiles.palette = 0)
#define TILE_ZERO(t) memset(tile[t], 0, sizeof tile[t])
#define TILE_LOAD(t, p, pitch) tile_move(t, (void *)(p), pitch, 1)
#define TILE_STORE(t, p, pitch) tile_move(t, (void *)(p), pitch, 0)
#define TILE_DOT_bf16(s, a, b) tile_dot(s, a, b, 1)
#define TILE_DOT_i8(s, a, b) tile_dot(s, a, b, 0)
