/** What a capture sees: every op, creation, read and size goes to the active tracer, on whatever tensors. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CaptureError } from '../../src/base/errors.js'
import { type GraphNode, graphBuilder, type Shape, typeOf } from '../../src/graph/ir.js'
import type { OpRecord } from '../../src/graph/record.js'
import type { Attrs } from '../../src/ir/node.js'
import { sizeSymbol } from '../../src/scalar/size.js'
import { type Generator, manualSeed, rand, scope, tensor, zeros, zerosLike } from '../../src/tensor/index.js'
import type { SymbolicNumber } from '../../src/tensor/symbolic-number.js'
import { Tensor } from '../../src/tensor/tensor.js'
import type { BoxedNumber } from '../../src/tensor/trace.js'
import {
  currentTracer,
  type KernelLaunch,
  type TracedArgument,
  type TracedMemory,
  type Tracer,
  withTracer,
} from '../../src/tensor/tracer.js'
import type { Dtype } from '../../src/types/dtype.js'
import { installReferenceExecutor } from '../support/reference-executor.js'

/** Records into a graph, and writes down what it was told. */
class NotingTracer implements Tracer {
  get autograd(): never {
    throw new Error('no gradients are asked for')
  }

  readonly name = 'noted'
  readonly device = 'cpu'
  readonly builder = graphBuilder()
  readonly notes: string[] = []
  readonly outer = null

  cond(): never {
    throw new Error('not noted')
  }
  whileLoop(): never {
    throw new Error('not noted')
  }
  scan(): never {
    throw new Error('not noted')
  }

  input(dtype: Dtype, shape: Shape): Tensor {
    const strides = shape.map(() => 1)
    return this.#tensor(this.builder.node('input', [], { index: 0, name: 'x', dtype, shape, strides }))
  }
  record(record: OpRecord, inputs: readonly TracedArgument[], attrs: Attrs): Tensor[] {
    const kinds = inputs.map(input => (input instanceof Tensor ? input.source.kind : typeof input))
    this.notes.push(`${record.name}(${kinds.join(', ')})`)
    const nodes = inputs.map(input => {
      if (!(input instanceof Tensor)) {
        const dtype = typeof input === 'bigint' ? 'i64' : 'f64'
        return { node: this.builder.node('constant', [], { dtype, value: input as number }), isNumber: true }
      }
      return {
        node: nodeOf(input.source.kind === 'traced' ? input : this.input(input.dtype, input.shape)),
        isNumber: false,
      }
    })
    return record.build(this.builder, nodes, attrs).map(node => this.#tensor(node))
  }
  assign(op: string, target: Tensor, value: Tensor): void {
    this.notes.push(`${op} assigns ${value.describe()} to ${target.source.kind} ${target.describe()}`)
  }
  launch({ kernel }: KernelLaunch): void {
    this.notes.push(`launch ${kernel.name}`)
  }
  memoryOf({ source, shape }: Tensor): TracedMemory {
    return { owner: source, layout: { shape, strides: shape.map(() => 1), offset: 0 } }
  }
  refused(): void {}
  watched(): void {}
  readonly constants: Tensor[] = []
  constant(made: Tensor): Tensor {
    this.constants.push(made)
    this.notes.push(`constant ${made.describe()}`)
    return this.input(made.dtype, made.shape)
  }
  randomState(generator: Generator, counters: unknown): readonly [Tensor, Tensor] {
    this.notes.push(`random ${withTracer(null, () => generator.seed)} ${counters}`)
    return [this.input('i64', []), this.input('i64', [])]
  }
  flush(reader: string): void {
    this.notes.push(`flush for ${reader}`)
  }

  read(read: Tensor, reader: string): Tensor {
    this.notes.push(`${reader} of ${read.source.kind}`)
    return withTracer(null, () => tensor([42]))
  }
  sizeRead(_: Tensor, dim: number): number {
    this.notes.push(`size ${dim}`)
    return 5
  }
  readonly segment = {}
  sizeNumber(tensor: Tensor, dim: number): BoxedNumber {
    this.notes.push(`symbolic size ${dim}`)
    return { present: Number(tensor.sizes[dim]), traced: null }
  }
  formulaOf(number: SymbolicNumber): number {
    return Number(number.present)
  }
  fromHere<R>(body: () => R): R {
    return body()
  }

  numberArgument(number: SymbolicNumber): number {
    return Number(number.present)
  }
  readNumber(number: SymbolicNumber): number {
    return Number(number.present)
  }
  stridesRead(): readonly number[] {
    return [1]
  }
  isContiguous(): boolean {
    return true
  }
  #tensor(node: GraphNode): Tensor {
    const { dtype, shape } = typeOf(node)
    const source = {
      kind: 'traced' as const,
      device: 'cpu' as const,
      tracer: this,
      sizes: shape,
      madeAt: null,
      isGiven: false,
      freed: null,
      free: () => undefined,
    }
    const made = new Tensor(source, dtype, null)
    nodes.set(made.source, node)
    return made
  }
}

const nodes = new WeakMap<object, GraphNode>()
const nodeOf = ({ source }: Tensor): GraphNode => nodes.get(source)!

let tracer: NotingTracer
let ran: string[]
beforeEach(() => {
  ran = installReferenceExecutor().ran
  tracer = new NotingTracer()
})

describe('while a tracer is active', () => {
  it('ops are recorded and not run, also on closed-over tensors', () => {
    const weight = tensor([1, 2, 3])
    const x = tracer.input('f32', [3])
    const y = withTracer(tracer, () => x.mul(weight).add(weight.get(0)).relu())
    expect(tracer.notes).toEqual(['mul(traced, storage)', 'slice(storage)', 'add(traced, traced)', 'relu(traced)'])
    expect([y.source.kind, y.shape, y.dtype, ran]).toEqual(['traced', [3], 'f32', []])
  })

  it('creation is recorded: filled tensors as ops, host data as constants, random ops on a per-call state', () => {
    manualSeed(11)
    withTracer(tracer, () => {
      zeros([2]).add(tensor([1, 2]))
      rand([4, 2])
    })
    expect(tracer.notes).toEqual([
      'full(number)',
      'constant f32[2]',
      'add(traced, traced)',
      'random 11 8',
      'rand(traced, traced)',
    ])
  })

  it('symbolic sizes stay symbolic until a size is read, and then only that one is specialised', () => {
    const x = tracer.input('f32', [sizeSymbol('s0'), 4, sizeSymbol('s1')])
    const y = withTracer(tracer, () => zerosLike(x.add(1)).sum(1))
    expect(String(y.sizes)).toBe('s0,s1')
    expect(tracer.notes.filter(note => note.startsWith('size'))).toEqual([])
    expect([y.ndim, x.shape.length, x.shape[1]]).toEqual([2, 3, 4])
    expect(x.shape[2]).toBe(5)
    expect(tracer.notes.filter(note => note.startsWith('size'))).toEqual(['size 2'])
    expect([...x.shape]).toEqual([5, 4, 5])
  })

  it('reads go to the tracer, also of concrete tensors', async () => {
    const weight = tensor([1])
    const x = tracer.input('f32', [1])
    const values = withTracer(tracer, () => [x.itemSync(), weight.itemSync(), x.dataSync()[0], x.toArray()])
    expect(values).toEqual([42, 42, 42, [42]])
    expect(tracer.notes).toEqual([
      'itemSync of traced',
      'itemSync of storage',
      'dataSync of traced',
      'toArray of traced',
    ])
  })

  it('in-place ops become assignments of converted values', () => {
    const weight = tensor([1, 2], { dtype: 'f16' })
    const x = tracer.input('f32', [2])
    withTracer(tracer, () => {
      x.add_(1)
      weight.copy_(x.sum())
    })
    expect(tracer.notes.filter(note => note.includes('assigns'))).toEqual([
      'add_ assigns f32[2] to traced f32[2]',
      'copy_ assigns f16[2] to storage f16[2]',
    ])
    expect(weight.toArray()).toEqual([1, 2])
  })

  it('constants outlive the scopes around the capture and inside it', () => {
    scope(() => withTracer(tracer, () => scope(() => tensor([1, 2]).add(1))))
    expect(tracer.constants.map(made => made.toArray())).toEqual([[1, 2]])
  })

  it('printing does not read, and disposal frees only the handle', () => {
    const x = tracer.input('f32', [sizeSymbol('s0')])
    expect(String(x)).toBe('tensor(traced, f32[s0])')
    x.dispose()
    expect(() => withTracer(tracer, () => x.add(1))).toThrow(/was disposed/)
    expect(tracer.notes).toEqual([])
  })
})

describe('outside of its capture', () => {
  it('a traced tensor is rejected', () => {
    const x = tracer.input('f32', [2])
    expect(() => x.add(1)).toThrow(CaptureError)
    expect(() => x.add(1)).toThrow(
      /add: f32\[2\] stands for a value of noted, which left it outside when it was traced .* fix: return it from noted/,
    )
    expect(() => x.dataSync()).toThrow(/dataSync: f32\[2\] stands for a value of noted/)
  })

  it("only outer captures' tracers are active again, also after an error", () => {
    expect(currentTracer()).toBeNull()
    withTracer(tracer, () => {
      expect(() =>
        withTracer(null, () => {
          expect(currentTracer()).toBeNull()
          throw new Error('mine')
        }),
      ).toThrow('mine')
      expect(currentTracer()).toBe(tracer)
    })
    expect(currentTracer()).toBeNull()
  })
})
