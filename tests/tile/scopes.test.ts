/**
 * Nothing leaves a block of a kernel but what the block gives: JavaScript assignments in branches and loops are found,
 * whatever is assigned, in whichever block it is used.
 */
import { describe, expect, it } from 'vitest'
import { KernelError } from '../../src/base/errors.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { rows } from '../support/rows.js'
import { messageOf } from './support.js'

interface Params {
  x: ViewValue
  y: ViewValue
  s: TileValue
}
type Body = (t: TileBuilder, params: Params) => void

const build = (body: Body) =>
  buildKernel({
    name: 'k',
    params: { x: view('f32', 1), y: view('f32', 1), s: 'f32' },
    grid: () => [1],
    body: (t, params) => {
      body(t, params)
      t.store(params.y, [0], params.s)
    },
  })

const one = (t: TileBuilder): TileValue => t.const(1, 'f32')

/** Each leaks a value that was made in a block: `what` names the block. */
const leaks: Readonly<Record<string, Body>> = {
  'a pure value assigned in a branch ⇒ belongs to the branch': (t, { y, s }) => {
    let v = one(t)
    t.if(s.gt(0), () => {
      v = v.add(1)
    })
    t.store(y, [0], v)
  },
  'a constant assigned in a branch ⇒ belongs to the branch': (t, { y, s }) => {
    let v = one(t)
    t.if(s.gt(0), () => {
      v = t.const(2, 'f32')
    })
    t.store(y, [0], v)
  },
  'a value of one branch in the other ⇒ belongs to the branch': (t, { x, y, s }) => {
    let v = one(t)
    t.if(
      s.gt(0),
      () => {
        v = t.load(x, [0], [1]).sum()
      },
      () => t.store(y, [0], v),
    )
  },
  'a value of the other branch afterwards ⇒ belongs to the branch': (t, { y, s }) => {
    let v = one(t)
    t.if(
      s.gt(0),
      () => {},
      () => {
        v = s.neg()
      },
    )
    t.store(y, [0], v)
  },
  'a pure value assigned in a loop ⇒ belongs to the loop': (t, { y }) => {
    let v = one(t)
    t.range(0, 8, 1, () => {
      v = v.add(1)
    })
    t.store(y, [0], v)
  },
  'a loaded value assigned in a loop ⇒ belongs to the loop': (t, { x, y }) => {
    let v = one(t)
    t.range(0, 8, 1, i => {
      v = t.load(x, [i], [1]).sum()
    })
    t.store(y, [0], v)
  },
  'a counter ⇒ belongs to the loop': (t, { y }) => {
    let last = t.const(0, 'i64')
    t.range(0, 8, 1, i => {
      last = i
    })
    t.store(y, [last], 1)
  },
  'a running value that only the loop uses ⇒ belongs to the loop': (t, { y }) => {
    let v = one(t)
    t.range(0, 8, 1, i => {
      t.store(y, [i], v)
      v = v.add(1)
    })
  },
  'a carried value by its inner name ⇒ belongs to the loop': (t, { y, s }) => {
    let v = one(t)
    t.range(0, 8, 1, { acc: s }, (_, { acc }) => {
      v = acc
      return { acc: acc.add(1) }
    })
    t.store(y, [0], v)
  },
  'a value of the body of a while ⇒ belongs to the loop': (t, { y, s }) => {
    let v = one(t)
    t.while(
      { n: s },
      ({ n }) => n.gt(0),
      ({ n }) => {
        v = n.mul(2)
        return { n: n.sub(1) }
      },
    )
    t.store(y, [0], v)
  },
  'a value of the condition of a while ⇒ belongs to the condition of a loop': (t, { y, s }) => {
    let v = one(t)
    t.while(
      { n: s },
      ({ n }) => {
        v = n.mul(2)
        return n.gt(0)
      },
      ({ n }) => ({ n: n.sub(v) }),
    )
    t.store(y, [0], v)
  },
  'a value of a block inside of a block ⇒ belongs to the branch': (t, { y, s }) => {
    t.range(0, 4, 1, { acc: s }, (i, { acc }) => {
      let v = acc
      t.if(i.gt(2), () => {
        v = v.add(1)
      })
      return { acc: v }
    })
    t.store(y, [0], s)
  },
  'a value in a list ⇒ belongs to the loop': (t, { x, y }) => {
    const parts: TileValue[] = []
    t.range(0, 4, 1, i => void parts.push(t.load(x, [i], [1]).sum()))
    t.store(
      y,
      [0],
      parts.reduce((a, b) => a.add(b)),
    )
  },
  'a method of it ⇒ belongs to the branch': (t, { y, s }) => {
    let v = one(t)
    t.if(s.gt(0), () => {
      v = v.add(1)
    })
    t.store(y, [0], v.to('f64').to('f32'))
  },
  'an operand of a dot ⇒ belongs to the loop': (t, { s }) => {
    let v = t.zeros([4, 4], 'f32')
    t.range(0, 4, 1, () => {
      v = v.add(s)
    })
    t.dot(v, v)
  },
}

/** JavaScript state that is no tile. */
const states: Readonly<Record<string, Body>> = {
  'a number counted up in a loop': (t, { x, y }) => {
    let k = 0
    t.range(0, 4, 1, i => {
      t.store(y, [i], t.load(x, [k], [1]))
      k += 8
    })
  },
  'a number set in a branch': (t, { y, s }) => {
    let n = 0
    t.if(s.gt(0), () => {
      n = 1
    })
    t.store(y, [n], s)
  },
  'a flag set in a loop': (t, { y, s }) => {
    let isFirst = true
    t.range(0, 4, 1, i => {
      t.store(y, [i], isFirst ? s : s.neg())
      isFirst = false
    })
  },
  'a flag that decides on a block': (t, { y, s }) => {
    let isFirst = true
    t.range(0, 4, 1, i => {
      if (isFirst) t.if(s.gt(0), () => t.store(y, [i], s))
      isFirst = false
    })
  },
  'a number that changes what is carried': (t, { y, s }) => {
    let n = 0
    const { acc } = t.range(0, 4, 1, { acc: s }, () => ({ acc: n++ }))
    t.store(y, [0], acc)
  },
  'a number that the condition of a while changes': (t, { s }) => {
    let n = 8
    t.while(
      { v: s },
      ({ v }) => v.lt(n--),
      ({ v }) => ({ v: v.add(1) }),
    )
  },
  'an object that a loop makes': (t, { y }) => {
    let made: { readonly shape: readonly number[] } | undefined
    t.range(0, 4, 1, () => {
      made = { shape: t.zeros([2], 'f32').shape }
    })
    t.store(y, [0], t.zeros((made as { readonly shape: readonly number[] }).shape, 'f32'))
  },
  'a random number': (t, { y }) => t.store(y, [0], Math.random()),
}

describe('values outside of their block', () => {
  it.each(rows(leaks))('%s', (_, body, what) => {
    const message = messageOf(() => build(body))
    expect(message).toContain('k: tile ')
    expect(message).toMatch(/made at line \d+/)
    expect(message).toContain(what)
    expect(message).toMatch(/ {2}at .*scopes\.test\.ts:\d+/)
    expect(message).toMatch(/fix: (carry it|return it from both)/)
  })

  it('give errors with the line of the use and the line of the definition', () => {
    const here = Number(/:(\d+):\d+\)?$/.exec(new Error('here').stack!.split('\n')[1]!)![1])
    const message = messageOf(() =>
      build((t, { y, s }) => {
        let v = one(t)
        t.if(s.gt(0), () => {
          v = t.const(2, 'f32')
        })
        t.store(y, [0], v)
      }),
    )
    expect(message).toContain(`made at line ${here + 5} belongs to the branch at line ${here + 4}`)
    expect(message).toContain(`scopes.test.ts:${here + 7}  fix`)
  })

  it('of another kernel, and after the kernel was built', () => {
    let other: TileValue | undefined
    let builder: TileBuilder | undefined
    let target: ViewValue | undefined
    build((t, { y, s }) => {
      other = s.add(1)
      builder = t
      target = y
    })
    const stale = other as TileValue
    expect(messageOf(() => build((_, { s }) => void s.add(stale)))).toContain('belongs to another kernel')
    expect(messageOf(() => build(() => void stale.add(1)))).toContain('is used after its kernel was built')
    expect(messageOf(() => stale.sum())).toContain('is used after its kernel was built')
    expect(messageOf(() => builder?.store(target as ViewValue, [0], 1))).toContain('after the body has returned')
    expect(messageOf(() => build(t => t.store(target as ViewValue, [0], 1)))).toContain('belongs to another kernel')
  })

  it('kept in a variable from one build to the next', () => {
    let kept: TileValue | undefined
    const body: Body = (t, { y }) => {
      kept ??= one(t)
      t.store(y, [0], kept)
    }
    expect(() => build(body)).toThrow(KernelError)
    expect(() => build(body)).toThrow(KernelError)
  })
})

describe('JavaScript state that blocks change', () => {
  it.each(rows(states))('%s', (_, body) => {
    const message = messageOf(() => build(body))
    expect(message).toMatch(/k: the (loop|branch|kernel|condition of a loop) does something else when it is run again/)
    expect(message).toMatch(/ {2}at .*scopes\.test\.ts:\d+/)
    expect(message).toContain('fix: ')
  })
})

describe('what is allowed', () => {
  const allowed: Readonly<Record<string, Body>> = {
    'outer values in blocks of any depth': (t, { x, y, s }) => {
      const v = s.add(1)
      t.range(0, 4, 1, i => t.if(i.gt(1), () => t.store(y, [i], t.load(x, [i], [1]).add(v))))
    },
    'assignments of what a block gives': (t, { y, s }) => {
      let v = s
      v = t.if(
        s.gt(0),
        () => ({ v: v.add(1) }),
        () => ({ v }),
      ).v
      ;({ v } = t.range(0, 4, 1, { v }, (_, { v }) => ({ v: v.mul(2) })))
      t.store(y, [0], v)
    },
    'JavaScript loops and state outside of blocks, and state of a block of its own': (t, { y, s }) => {
      let v = s
      for (let i = 0; i < 4; i++) v = v.add(i)
      t.range(0, 4, 1, i => {
        let w = v
        for (let k = 0; k < 3; k++) w = w.mul(k + 1)
        t.store(y, [i], w)
      })
    },
  }
  it.each(rows(allowed))('%s', (_, body) => {
    expect(() => build(body)).not.toThrow()
  })
})
