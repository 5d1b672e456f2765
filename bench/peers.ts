/**
 * The peers, loaded from bench/node_modules if they are installed there. Only the API that the cases call is typed here, so
 * that the project type-checks without them.
 */
import { type OnnxGraph, onnxModel } from './onnx.js'

/** Data by name: f32, in the shape that the model declares. */
export type Arrays = Readonly<Record<string, Float32Array>>

interface OrtTensor {
  readonly data: Float32Array
}

interface OrtSession {
  run(feeds: Readonly<Record<string, OrtTensor>>, fetches: Readonly<Record<string, OrtTensor>>): Promise<unknown>
  release(): Promise<void>
}

interface OrtModule {
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<OrtSession> }
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => OrtTensor
}

/** A loaded model: each run fills the same output memory. */
export interface OnnxRun {
  readonly outputs: Arrays
  run(): Promise<unknown>
  release(): Promise<void>
}

export interface JaxArray {
  readonly ref: JaxArray
  add(other: JaxArray | number): JaxArray
  mul(other: JaxArray | number): JaxArray
  dataSync(): Float32Array
}

export interface Jax {
  readonly jit: (f: (x: JaxArray) => JaxArray) => (x: JaxArray) => JaxArray
  readonly numpy: {
    array(data: Float32Array): JaxArray
    maximum(x: JaxArray, y: JaxArray | number): JaxArray
  }
  init(device: string): Promise<unknown>
  defaultDevice(device: string): unknown
}

export interface Peers {
  readonly onnx: ((graph: OnnxGraph, feeds: Arrays) => Promise<OnnxRun>) | null
  readonly jax: Jax | null
  /** What is missing and how to install it. */
  readonly notes: readonly string[]
}

const install = 'not installed: npm --prefix bench ci --ignore-scripts'

/** `threads`: the number of threads onnxruntime may use, including the caller. */
export async function loadPeers(threads: number): Promise<Peers> {
  const notes: string[] = []
  const load = async (name: string): Promise<unknown> => {
    try {
      return await import(name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
      notes.push(`${name} ${install}`)
      return null
    }
  }
  const ort = (await load('onnxruntime-node')) as OrtModule | null
  const jax = (await load('@jax-js/jax')) as Jax | null
  if (jax !== null) {
    await jax.init('wasm')
    jax.defaultDevice('wasm')
  }
  return { onnx: ort === null ? null : (graph, feeds) => prepare(ort, graph, feeds, threads), jax, notes }
}

async function prepare(ort: OrtModule, graph: OnnxGraph, arrays: Arrays, threads: number): Promise<OnnxRun> {
  const session = await ort.InferenceSession.create(onnxModel(graph), {
    executionProviders: ['cpu'],
    graphOptimizationLevel: 'all',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  })
  const outputs = Object.fromEntries(
    Object.entries(graph.outputs).map(([name, shape]) => [name, new Float32Array(shape.reduce((n, d) => n * d, 1))]),
  )
  const wrap = (values: Arrays, shapes: OnnxGraph['inputs']): Record<string, OrtTensor> =>
    Object.fromEntries(
      Object.entries(shapes).map(([name, shape]) => [name, new ort.Tensor('float32', values[name]!, shape)]),
    )
  const [feeds, fetches] = [wrap(arrays, graph.inputs), wrap(outputs, graph.outputs)]
  return { outputs, run: () => session.run(feeds, fetches), release: () => session.release() }
}
