import { describe, expect, it } from 'vitest'
import { print } from '../../src/ir/print.js'
import { type Rule, rewrite } from '../../src/ir/rewrite.js'
import { verify } from '../../src/ir/verify.js'
import { nodesOf, placement, useCounts } from '../../src/ir/walk.js'
import { isLoop, loop, type ToyBlock, type ToyNode, toy, toyBuilder } from './toy.js'

const num = (value: number) => ({ value })

describe('builder', () => {
  it('interns equal pure nodes, and keeps reads and effects separate', () => {
    const b = toyBuilder()
    const one = b.node('num', [], num(1))
    expect(b.node('num', [], num(1))).toBe(one)
    expect(b.node('num', [], num(2))).not.toBe(one)
    expect(b.node('num', [], num(-0))).not.toBe(b.node('num', [], num(0)))
    expect(b.node('add', [one, one], {})).toBe(b.node('add', [one, one], {}))
    expect(b.node('load', [], { cell: 'x' })).not.toBe(b.node('load', [], { cell: 'x' }))
    expect(b.node('param', [], {})).not.toBe(b.node('param', [], {}))
  })

  it('puts statements into the block that was open, pure nodes into no block', () => {
    const b = toyBuilder()
    const two = b.node('num', [], num(2))
    const owner = loop(b, two, index => void b.node('store', [b.node('add', [index, two], {})], { cell: 'x' }))
    const root = b.finish()
    expect(root.body).toEqual([owner])
    expect(owner.blocks[0]!.body.map(node => node.op)).toEqual(['store'])
  })

  it('rejects finishing inside an open block, and closes blocks whose construction throws', () => {
    const b = toyBuilder()
    expect(() => b.block([], () => b.finish().results)).toThrow('finish inside an open block')
    expect(b.finish().body).toEqual([])
  })
})

describe('walks', () => {
  it('visit each node once, inputs first, also in graphs deeper than the call stack', () => {
    const b = toyBuilder()
    let top = b.node('num', [], num(0))
    for (let i = 1; i <= 50_000; i++) top = b.node('add', [top, b.node('num', [], num(i % 7))], {})
    b.node('store', [top], { cell: 'x' })
    const root = b.finish()
    const seen = new Set<ToyNode>()
    const misplaced: ToyNode[] = []
    for (const node of nodesOf(root)) {
      if (seen.has(node) || !node.inputs.every(input => seen.has(input as ToyNode))) misplaced.push(node)
      seen.add(node)
    }
    expect(misplaced).toEqual([])
    expect(() => verify(toy, root)).not.toThrow()
    expect(print(toy, root).split('\n').length).toBe(seen.size + 1)
    expect([...placement(toy, root, isLoop).get(root)!].length).toBe(seen.size)
  })

  it('counts uses, results included', () => {
    const b = toyBuilder()
    const one = b.node('num', [], num(1))
    const sum = b.node('add', [one, one], {})
    expect(useCounts(b.finish([sum])).get(one)).toBe(2)
    expect(useCounts(b.finish([sum, sum])).get(sum)).toBe(2)
  })
})

describe('placement', () => {
  it('hoists loop-invariant nodes, and sinks nodes that only the loop uses', () => {
    const b = toyBuilder()
    const x = b.node('load', [], { cell: 'x' })
    const invariant = b.node('add', [x, b.node('num', [], num(1))], {})
    let variant: ToyNode | undefined
    const owner = loop(b, x, index => {
      variant = b.node('add', [index, invariant], {})
      b.node('store', [variant], { cell: 'y' })
    })
    const root = b.finish()
    const order = placement(toy, root, isLoop)
    expect(order.get(root)!.map(node => node.op)).toEqual(['load', 'num', 'add', 'loop'])
    expect(order.get(owner.blocks[0] as ToyBlock)![0]).toBe(variant)
    // Without loops nothing is gained by hoisting: it stays where it is used.
    expect(
      placement(toy, root, () => false)
        .get(root)!
        .map(node => node.op),
    ).toEqual(['load', 'loop'])
  })

  it('places nodes that two blocks share before both', () => {
    const b = toyBuilder()
    const two = b.node('num', [], num(2))
    for (const cell of ['x', 'y']) loop(b, two, () => void b.node('store', [b.node('num', [], num(5))], { cell }))
    const root = b.finish()
    expect(
      placement(toy, root, () => false)
        .get(root)!
        .map(node => node.op),
    ).toEqual(['num', 'num', 'loop', 'loop'])
  })
})

describe('printer', () => {
  it('prints blocks, parameters and attributes', () => {
    const b = toyBuilder()
    b.origin = { at: { file: 'kernel.ts', line: 7, column: 1 }, pass: 'build' }
    const two = b.node('num', [], num(2))
    loop(b, two, index => void b.node('store', [b.node('add', [index, two], {})], { cell: 'x' }))
    const root = b.finish([two])
    expect(print(toy, root)).toBe(
      '%0 = num() {value: 2} : int\n%1 = loop(%0) : nothing\n  (%2: int)\n  %3 = add(%2, %0) : int\n  %4 = store(%3) {cell: "x"} : nothing\n-> %0\n',
    )
    expect(print(toy, root, { origins: true })).toContain('%1 = loop(%0) : nothing  # kernel.ts:7 (build)')
  })
})

describe('verifier', () => {
  const broken = (change: (root: ToyBlock) => ToyBlock): (() => void) => {
    const b = toyBuilder()
    const x = b.node('load', [], { cell: 'x' })
    b.node('store', [x], { cell: 'y' })
    return () => verify(toy, change(b.finish()))
  }

  it('accepts a valid program', () => {
    expect(broken(root => root)).not.toThrow()
  })

  it('rejects a use before its definition', () => {
    expect(broken(root => ({ ...root, body: root.body.toReversed() }))).toThrow('uses load (node 0) before it runs')
  })

  it('rejects a pure node in a body, and a statement twice', () => {
    const b = toyBuilder()
    const pure = b.node('num', [], num(1))
    expect(broken(root => ({ ...root, body: [...root.body, pure] }))).toThrow(
      'is pure, so it must not be in the body of a block',
    )
    expect(broken(root => ({ ...root, body: [...root.body, root.body[1]!] }))).toThrow(
      'is in the body of a block twice',
    )
  })

  it('rejects a type that does not follow from the inputs', () => {
    expect(broken(root => ({ ...root, body: root.body.map(node => ({ ...node, type: 'odd' })) }))).toThrow(
      'has type odd, its inputs give int',
    )
  })

  it('rejects a loop value or parameter outside the loop', () => {
    for (const [which, message] of [
      [0, 'uses the block parameter'],
      [1, 'before it runs, or outside its block'],
    ] as const) {
      const b = toyBuilder()
      const leaked: ToyNode[] = []
      loop(b, b.node('num', [], num(2)), index => leaked.push(index, b.node('load', [], { cell: 'x' })))
      b.node('store', [leaked[which]!], { cell: 'y' })
      expect(() => verify(toy, b.finish())).toThrow(message)
    }
  })
})

describe('rewriter', () => {
  const fold: Rule<ToyNode> = {
    name: 'fold',
    ops: ['add'],
    apply(node, builder) {
      const [a, b] = node.inputs as [ToyNode, ToyNode]
      return a.op === 'num' && b.op === 'num' ? builder.node('num', [], num(a.attrs.value + b.attrs.value)) : null
    },
  }

  it('works from the inputs up, counts, and keeps the user line', () => {
    const b = toyBuilder()
    b.origin = { at: { file: 'a.ts', line: 3, column: 1 }, pass: 'build' }
    const [one, two] = [b.node('num', [], num(1)), b.node('num', [], num(2))]
    b.node('store', [b.node('add', [b.node('add', [one, two], {}), two], {})], { cell: 'x' })
    const { root, stats } = rewrite(toy, b.finish(), [fold], 'folding')
    const [value] = root.body[0]!.inputs as [ToyNode]
    expect(value.attrs).toEqual({ value: 5 })
    expect(value.origin).toEqual({ at: { file: 'a.ts', line: 3, column: 1 }, pass: 'folding' })
    expect(stats.fired.get('fold')).toBe(2)
  })

  it('offers intermediate nodes of a rule to the rules too', () => {
    const b = toyBuilder()
    b.node('store', [b.node('load', [], { cell: 'x' })], { cell: 'y' })
    const makeSum: Rule<ToyNode> = {
      name: 'load is 1 + 2 + index',
      ops: ['load'],
      apply: (_, builder) => {
        const sum = builder.node('add', [builder.node('num', [], num(1)), builder.node('num', [], num(2))], {})
        return builder.node('add', [sum, builder.node('num', [], num(4))], {})
      },
    }
    const { root } = rewrite(toy, b.finish(), [fold, makeSum], 'test')
    expect(print(toy, root)).toBe('%0 = num() {value: 7} : int\n%1 = store(%0) {cell: "y"} : nothing\n')
  })

  it('replaces an effect in place, once, in inner blocks too', () => {
    const b = toyBuilder()
    const one = b.node('num', [], num(1))
    b.node('store', [one], { cell: 'x' })
    loop(b, one, () => void b.node('store', [one], { cell: 'x' }))
    b.node('store', [one], { cell: 'z' })
    const rename: Rule<ToyNode> = {
      name: 'x is y',
      ops: ['store'],
      apply: (node, builder) =>
        node.op === 'store' && node.attrs.cell === 'x' ? builder.node('store', node.inputs, { cell: 'y' }) : null,
    }
    const { root } = rewrite(toy, b.finish(), [rename], 'test')
    verify(toy, root)
    expect(print(toy, root)).toBe(
      [
        '%0 = num() {value: 1} : int',
        '%1 = store(%0) {cell: "y"} : nothing',
        '%2 = loop(%0) : nothing',
        '  (%3: int)',
        '  %4 = store(%0) {cell: "y"} : nothing',
        '%5 = store(%0) {cell: "z"} : nothing',
        '',
      ].join('\n'),
    )
  })

  it('drops unused reads and loops without effects, inner ones too, and nothing else', () => {
    const b = toyBuilder()
    const one = b.node('num', [], num(1))
    b.node('load', [], { cell: 'unused' })
    loop(b, one, () => void b.node('load', [], { cell: 'unused' }))
    loop(b, one, () => {
      b.node('load', [], { cell: 'unused' })
      b.node('store', [b.node('load', [], { cell: 'x' })], { cell: 'y' })
      loop(b, one, () => {})
    })
    const { root } = rewrite(toy, b.finish(), [], 'test')
    verify(toy, root)
    const ops = [...nodesOf(root)].map(node => (node.op === 'load' ? node.attrs.cell : node.op))
    expect(ops).toEqual(['num', 'param', 'x', 'store', 'loop'])
  })

  it('keeps the order of reads and effects', () => {
    const b = toyBuilder()
    const before = b.node('load', [], { cell: 'x' })
    b.node('store', [b.node('num', [], num(1))], { cell: 'x' })
    const after = b.node('load', [], { cell: 'x' })
    b.node('store', [b.node('add', [before, after], {})], { cell: 'y' })
    const { root } = rewrite(toy, b.finish(), [fold], 'test')
    expect(root.body.map(node => node.op)).toEqual(['load', 'store', 'load', 'store'])
    const sum = root.body[3]!.inputs[0]!
    expect(sum.inputs).toEqual([root.body[0], root.body[2]])
  })

  it('reports rules that undo each other', () => {
    const b = toyBuilder()
    b.node('store', [b.node('num', [], num(1))], { cell: 'x' })
    const up: Rule<ToyNode> = {
      name: 'up',
      ops: ['num'],
      apply: (node, builder) => (node.op === 'num' ? builder.node('num', [], num(node.attrs.value + 1)) : null),
    }
    expect(() => rewrite(toy, b.finish(), [up], 'climb')).toThrow('climb: rewriting num did not reach a fixed point')
  })
})
