/** JavaScript branches on tiles are found in the text of a body, and nothing else is taken for one. */
import { describe, expect, it } from 'vitest'
import { KernelError } from '../../src/base/errors.js'
import { type BodyParams, buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue } from '../../src/tile/language.js'
import { rows } from '../support/rows.js'
import { messageOf } from './support.js'

const params = { x: view('f32', 1), out: view('f32', 1), s: 'f32' } as const
const constants = { MASK: false, MODE: 'fast', N: 3 }
type Body = (
  t: TileBuilder,
  p: BodyParams<typeof params>,
  c: { readonly MASK: boolean; readonly MODE: string; readonly N: number },
) => void

const build = (body: Body) => buildKernel({ name: 'k', params, constants, grid: () => [1], body })

const mistakes: Readonly<Record<string, Body>> = {
  'if (v)': (t, { x, out }) => {
    const v = t.load(x, [0], [1])
    if (v) t.store(out, [0], v)
  },
  'pid === 0': (t, { out }) => {
    const pid = t.programId(0)
    t.store(out, [0], 1)
    // @ts-expect-error: TypeScript finds it too
    if (pid === 0) t.store(out, [pid], 1)
  },
  'if (s)': (t, { out, s }) => {
    if (s) t.store(out, [0], 1)
  },
  'scale ?': (t, { out, s: scale }) => t.store(out, [0], scale ? 1 : 2),
  'if (p.s.gt(0))': (t, p) => {
    if (p.s.gt(0)) t.store(p.out, [0], 1)
  },
  'if (x.size(0).gt(3))': (t, { x, out }) => {
    if (x.size(0).gt(3)) t.store(out, [0], 1)
  },
  '!t.programId(0).eq(0)': (t, { out }) => {
    t.store(out, [0], 1)
    if (!t.programId(0).eq(0)) return
    t.store(out, [1], 1)
  },
  't.programId(0).eq(0) &&': (t, { out }) => {
    t.store(out, [0], 1)
    t.programId(0).eq(0) && t.store(out, [1], 1)
  },
  'first ?': (t, { out }) =>
    t.range(0, 4, 1, i => {
      const first = i.eq(0)
      t.store(out, [0], first ? 1 : 2)
    }),
  'if (acc)': (t, { out }) => {
    const { acc } = t.range(0, 4, 1, { acc: t.const(0, 'f32') }, (_, { acc }) => ({ acc: acc.add(1) }))
    if (acc) t.store(out, [0], acc)
  },
  'a === b': (t, { x, out }) => {
    const a = t.load(x, [0], [1])
    const b = t.load(x, [1], [1])
    t.store(out, [0], a)
    if (a === b) t.store(out, [1], b)
  },
}

describe('branches on tiles', () => {
  it.each(rows(mistakes))('%s', (_, body) => {
    expect(() => build(body)).toThrow(KernelError)
    const message = messageOf(() => build(body))
    expect(message).toMatch(/kernel 'k': '.*' is decided when the kernel is built: a tile has no value then/)
    expect(message).toMatch(/ {2}at .*branches\.test\.ts:\d+ {2}fix: .*t\.if\(condition/)
  })

  it('are reported, at their line', () => {
    const here = Number(/:(\d+):\d+\)?$/.exec(new Error('here').stack!.split('\n')[1]!)![1])
    const message = messageOf(() =>
      build((t, { out }) => {
        const onlyHere = t.programId(0).lt(3)
        if (onlyHere) t.store(out, [0], 1)
      }),
    )
    expect(message.replaceAll(' ', '')).toContain("'if(onlyHere)'")
    expect(message).toContain(`branches.test.ts:${here + 4}  fix`)
  })
})

const fine: Readonly<Record<string, Body>> = {
  'on constants': (t, { out }, { MASK, MODE, N }) => {
    const pid = t.programId(0)
    if (MASK) t.store(out, [pid], 1)
    if (N === 3 && MODE === 'fast') t.store(out, [0], pid.to('f32'))
  },
  'on whether a value is there': (t, { x, out }) => {
    let v: TileValue | undefined
    for (const k of [1, 2, 3]) v = v === undefined ? t.load(x, [k], [1]) : v.add(k)
    const w = t.load(x, [0], [1])
    if (v !== undefined && w !== undefined) t.store(out, [0], v.add(w))
  },
  'on facts of tiles': (t, { x, out }) => {
    const v = t.load(x, [0], [4])
    if (v.dtype === 'f32' && v.shape[0] === 4 && v.rank === 1 && x.rank === 1) t.store(out, [0], v)
  },
  'on names that are something else elsewhere': (t, { out }) => {
    const v = t.iota(4)
    const chosen = (v: boolean): number => (v ? 1 : 2)
    t.range(0, 4, 1, i => t.store(out, [i], chosen(true)))
    t.store(out, [0], v.to('f32').mul([1, 2].map(i => (i === 1 ? 1 : 2)).length))
  },
  'on parts of objects': (t, { out }) => {
    const options = { s: 1, v: false }
    const v = t.iota(1)
    t.store(out, [0], options.s === 1 && !options.v ? v.to('f32') : 2)
  },
  'in t.if and t.where': (t, { out, s }) => {
    t.if(s.gt(0), () => t.store(out, [0], t.where(s.lt(3), s, 1)))
    t.store(out, [1], 1)
  },
  'in text, comments, and quotients': (t, { out, s }) => {
    const text = 'if (s) s === 0' /* !s */
    t.store(out, [0], s.mul(text.length / 2 / 7)) // s ? 1 : 2
  },
}

describe('what is no branch on a tile', () => {
  it.each(rows(fine))('%s', (_, body) => {
    expect(() => build(body)).not.toThrow()
  })
})
