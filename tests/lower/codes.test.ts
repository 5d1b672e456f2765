/** Dots of 8-bit floats by their codes on a CPU: every code of both formats, NaN and infinity included. */
import { describe, it } from 'vitest'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, ViewValue } from '../../src/tile/language.js'
import { checkProgram, over, staticDims } from './support.js'

describe('dots of codes', () => {
  for (const codes of [
    ['f8e4m3', 'f8e5m2'],
    ['f8e5m2', 'f8e4m3'],
  ] as const)
    it(codes.join(' · '), () => {
      const every = Uint8Array.from({ length: 256 }, (_, code) => code)
      const one = codes[1] === 'f8e4m3' ? 0x38 : 0x3c
      const args = {
        a: over(every, [256, 1]),
        b: over(Uint8Array.of(one, one + 1), [1, 2]),
        c: over(new Float32Array(512), [256, 2]),
      }
      const definition = {
        name: 'codes',
        params: { a: view(codes[0], 2), b: view(codes[1], 2), c: view('f32', 2) },
        grid: () => [1],
        body(t: TileBuilder, { a, b, c }: { a: ViewValue; b: ViewValue; c: ViewValue }) {
          t.store(c, [0, 0], t.dot(t.load(a, [0, 0], [256, 1]), t.load(b, [0, 0], [1, 2])))
        },
      }
      const program = buildKernel(
        definition,
        {},
        {
          a: staticDims(args.a),
          b: staticDims(args.b),
          c: staticDims(args.c),
        },
      )
      checkProgram(program, [args.a, args.b, args.c], [1])
    })
})
