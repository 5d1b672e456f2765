/** `bisect`: wrong parts of a compiler are planted, and it must name each; right programs have no difference. */
import { describe, expect, it } from 'vitest'
import { computeDevice } from '../../src/backends/index.js'
import { type GraphStep, graphSteps } from '../../src/compile/pipeline.js'
import { bisect, type CompilerParts, checkSubgraph, type Subgraph } from '../../src/debug/index.js'
import { type GraphNode, graphDialect } from '../../src/graph/ir.js'
import { rebuild, remake } from '../../src/graph/passes/pass.js'
import { simplifyRules } from '../../src/graph/passes/simplify.js'
import { CaptureError, compile, grad, randn, type Tensor, tensor } from '../../src/index.js'
import { type Rule, rewrite } from '../../src/ir/rewrite.js'
import { nodesOf } from '../../src/ir/walk.js'
import { scheduleGraph } from '../../src/schedule/schedule.js'
import { type TileNode, type TileProgram, tileDialect } from '../../src/tile/ir.js'

function layer(x: Tensor, w: Tensor, bias: Tensor): Tensor {
  const hidden = x.matmul(w).add(bias)
  const gated = hidden.sigmoid().mul(hidden)
  return gated
    .sub(gated.mean(-1, { keepdim: true }))
    .exp()
    .sum(-1)
}
const sigmoids = (x: Tensor): Tensor => x.mul(2).sigmoid().sum(0)
const inputs = (): Tensor[] => [randn([6, 8]), randn([8, 12]), randn([12])]

/** Exponentials become sines. */
const wrong: GraphStep = {
  name: 'wrong pass',
  run: graph => ({
    graph: rebuild(graph, 'wrong pass', (b, node: GraphNode, given) =>
      node.op === 'map' && node.attrs.fn === 'exp' ? b.node('map', given, { fn: 'sin' }) : remake(b, node, given),
    ),
  }),
}

/** The kernel with sines for exponentials. */
function sinesIn(program: TileProgram): TileProgram {
  const sines: Rule<TileNode> = {
    name: 'sines',
    ops: ['map'],
    apply: (node, b) =>
      node.op === 'map' && node.attrs.fn === 'exp' ? b.node('map', node.inputs, { ...node.attrs, fn: 'sin' }) : null,
  }
  return { ...program, body: rewrite(tileDialect, program.body, [sines], 'sines').root }
}

/** The file's subgraph. */
function subgraphOf(file: string): Subgraph {
  const code = /export const subgraph: Subgraph = (\{[\s\S]*?\n\})\n/.exec(file)![1]!
  return new Function(`return (${code})`)() as Subgraph
}

describe('bisect', () => {
  it('says that right programs have no difference', () => {
    const report = bisect(layer, inputs())
    expect(report.culprit).toBeNull()
    expect(report.anomaly).toBeNull()
    expect(String(report)).toBe('layer: no difference: generated code agrees with the interpreter')
    expect(bisect(compile(layer), inputs()).culprit).toBeNull()
  })

  it('names a wrong pass, and writes the smallest part that shows it', () => {
    const compiler: CompilerParts = { steps: graphSteps.toSpliced(4, 0, wrong) }
    const report = bisect(layer, inputs(), { compiler })
    expect(report.culprit).toMatchObject({ kind: 'pass', name: "pass 'wrong pass'" })
    expect(report.culprit!.at!.file).toContain('bisect.test.ts')
    expect(report.ops[1]).toBe(1)
    const subgraph = subgraphOf(report.reproduction!)
    expect(subgraph.inputs.map(({ shape }) => shape)).toEqual([[1, 1]])
    expect(checkSubgraph(subgraph, compiler).culprit!.name).toBe("pass 'wrong pass'")
    expect(checkSubgraph(subgraph).culprit).toBeNull() // without the wrong pass
  })

  it('names a wrong rule among the rules of a pass', () => {
    const rule: Rule<GraphNode> = {
      name: 'a mean is a sum',
      ops: ['map'],
      apply: (node, b) =>
        node.op === 'map' && node.attrs.fn === 'sigmoid' ? b.node('map', node.inputs, { fn: 'tanh' }) : null,
    }
    const rules = simplifyRules.toSpliced(2, 0, rule)
    const simplify: GraphStep = {
      name: 'simplify',
      rules: rules.map(({ name }) => name),
      run: (graph, count) => ({
        graph: { ...graph, body: rewrite(graphDialect, graph.body, rules.slice(0, count), 'simplify').root },
      }),
    }
    const steps = graphSteps.with(
      graphSteps.findIndex(({ name }) => name === 'simplify'),
      simplify,
    )
    const report = bisect(sigmoids, [randn([3, 5])], { compiler: { steps } })
    expect(report.culprit).toMatchObject({ kind: 'rule', name: "rule 'a mean is a sum' of pass 'simplify'" })
    expect(report.ops[1]).toBeLessThanOrEqual(2)
  })

  it('tells a wrong kernel from wrong fusion, and names what is fused', () => {
    const changed = (when: (ops: readonly string[]) => boolean): CompilerParts => ({
      schedule: (graph, policy) => {
        const fns = nodesOf<GraphNode>(graph.body).map(node => (node.op === 'map' ? node.attrs.fn : node.op))
        return scheduleGraph(when(fns) ? wrong.run(graph).graph : graph, policy)
      },
    })
    const kernel = bisect(layer, inputs(), { compiler: changed(fns => fns.includes('exp')) })
    expect(kernel.culprit).toMatchObject({ kind: 'kernel', kernels: ['sin (sin)'] })
    const fused = bisect(layer, inputs(), {
      compiler: changed(fns => fns.includes('exp') && fns.includes('reduce')),
    })
    expect(fused.culprit).toMatchObject({ kind: 'fusion', name: 'fusion and tiling' })
    expect(fused.ops[1]).toBeLessThan(fused.ops[0])
    expect(fused.culprit!.kernels).toEqual(['mean_sub_sin (mean, sub, sin)'])
  })

  it('names lowering and generated code, with the kernel', () => {
    const { target } = computeDevice('cpu')
    const lowering = bisect(layer, inputs(), {
      compiler: { target: { ...target, lower: (program, facts) => target.lower(sinesIn(program), facts) } },
    })
    expect(lowering.culprit).toMatchObject({ kind: 'lowering', name: 'lowering' })
    expect(lowering.culprit!.kernels).toHaveLength(1)
    const code = bisect(layer, inputs(), {
      compiler: {
        target: {
          ...target,
          emitter: () => ({
            alone: () => null,
            unit: lanes =>
              target
                .emitter()
                .unit(lanes)
                .replaceAll(/\bexp_f32(x\d+)?\((?!f32)/g, '-$&'), // not its definition
          }),
        },
      },
    })
    expect(code.culprit).toMatchObject({ kind: 'code', name: 'generated code on cpu' })
    expect(code.ops[1]).toBe(1)
  })

  it('compares gradients, writes in place and 16-bit floats within their rounding', () => {
    const x = randn([4, 8])
    const step = (w: Tensor, rate: Tensor): Tensor => {
      const slope = grad((of: Tensor) => of.matmul(w).tanh().sum())(x)
      w.sub_(rate.mul(slope.sum()))
      return slope
    }
    const w = randn([8, 3])
    const before = w.toArray()
    expect(bisect(step, [w, tensor(0.1)]).culprit).toBeNull()
    expect(w.toArray()).toEqual(before)
    for (const dtype of ['f16', 'bf16', 'f64'] as const)
      expect(bisect((y: Tensor) => y.softmax(-1).cumsum(0), [randn([5, 7]).to(dtype)]).culprit).toBeNull()
  })

  it('names the first op that gives NaN or an infinity, with its line', () => {
    const logs = (x: Tensor): Tensor => x.sub(1).log().mul(0).exp()
    const report = bisect(logs, [tensor([1, 2])])
    expect(report.culprit).toBeNull()
    expect(report.anomaly).toMatchObject({ op: 'log', what: 'Infinity in f32[2]' })
    expect(report.anomaly!.at!.file).toContain('bisect.test.ts')
  })

  it('refuses what it cannot look at', () => {
    expect(() => bisect('f' as never, [])).toThrow(/bisect: fn is .*not a function/)
    expect(() => bisect(layer, 3 as never)).toThrow(/bisect: the arguments are .*not an array/)
    expect(() => bisect((x: Tensor) => x.mul(x.sum().itemSync()), [tensor([1])])).toThrow(CaptureError)
  })
})
