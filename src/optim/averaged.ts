/** Averages of weights over the steps of a training, which often generalise better than the last weights. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'
import { compile } from '../compile/compile.js'
import { BatchNorm1d, BatchNorm2d, BatchNorm3d, Module } from '../nn/index.js'
import { noGrad } from '../tensor/autograd/mode.js'
import { full, zeros } from '../tensor/create.js'
import type { DeviceName } from '../tensor/device.js'
import { where } from '../tensor/functions.js'
import { Tensor } from '../tensor/tensor.js'
import { currentTracer } from '../tensor/tracer.js'
import { isFloat, type TensorDtype } from '../types/dtype.js'
import { chunksOf, flat, recompileLimit } from './chunks.js'
import { requireCount, requireNumber, Schedule, type Scheduled } from './schedule.js'

/** Options of `AveragedModel`. */
export interface AveragedModelOptions {
  /**
   * Of an exponential moving average: decay · average + (1 − decay) · weights at each update. Default: none, so that all
   * updates count alike (stochastic weight averaging).
   */
  readonly decay?: number | undefined
  /** Buffers are averaged too, those of floats. Default false: they are copied. */
  readonly useBuffers?: boolean | undefined
}

/**
 * A copy of a model whose weights are the average of those that the model has at each `update`. Call it, save it and load it
 * like the model; its names are PyTorch's (`module.…`, `n_averaged`). The first update copies.
 *
 * Averages have the dtype of the weights, and are computed in f32. Those of 16-bit weights hardly move with a `decay` near 1:
 * `averaged.to('f32')` keeps them in f32.
 *
 * @example
 * const averaged = new AveragedModel(net, { decay: 0.999 })
 * for (const { x, y } of loader) { step(x, y); averaged.update(net) }
 */
export class AveragedModel<M extends Module> extends Module {
  /** The copy, with the averages. */
  readonly module: M
  /** How many updates there were: 0-d, i64. */
  nAveraged: Tensor
  /** null: all updates count alike. */
  readonly decay: number | null
  /** Whether buffers are averaged. */
  readonly useBuffers: boolean

  /** @throws ArgumentError for what is no module, and options out of range */
  constructor(model: M, options: AveragedModelOptions = {}) {
    super()
    if (!((model as unknown) instanceof Module))
      throw new ArgumentError(`AveragedModel: the model is ${describeAny(model)}`, { fix: 'pass a module' })
    checkOptionsObject('AveragedModel', options, ['decay', 'useBuffers'])
    const { decay, useBuffers = false } = options
    if (decay !== undefined) requireNumber('AveragedModel', 'decay', decay, 0, 1)
    if (typeof (useBuffers as unknown) !== 'boolean')
      throw new ArgumentError(`AveragedModel: useBuffers is ${describeAny(useBuffers)}`, { fix: 'give true or false' })
    this.module = model.clone()
    const device = model.parameters()[0]?.device
    this.nAveraged = this.registerBuffer('nAveraged', zeros([], { dtype: 'i64', device }))
    this.decay = decay ?? null
    this.useBuffers = useBuffers
  }

  forward(...args: Parameters<M['forward']>): ReturnType<M['forward']> {
    return this.module.forward(...args) as ReturnType<M['forward']>
  }

  /**
   * Takes the present weights of `model` into the average, in place: nothing is read, so in a compiled step it is part of the
   * graph. Call it after the optimiser's step.
   *
   * @throws ArgumentError when the model has other parameters or buffers; nothing has changed then
   */
  update(model: M): void {
    const parameters = pairsOf('parameters', this.module.parameters(), model.parameters())
    const buffers = pairsOf('buffers', this.module.buffers(), model.buffers())
    const isAveraged = ([average]: Pair): boolean => this.useBuffers && isFloat(average.dtype)
    const averaged = [...parameters, ...buffers.filter(isAveraged)]
    noGrad(() => {
      updateAll(averaged, keptShare(this))
      for (const [average, value] of buffers.filter(pair => !isAveraged(pair))) average.copy_(value)
      this.nAveraged.add_(1)
    })
  }
}

type Pair = readonly [average: Tensor, value: Tensor]

function pairsOf(what: string, averages: readonly Tensor[], values: readonly Tensor[]): readonly Pair[] {
  const text = (list: readonly Tensor[]): string => list.map(({ shape }) => `[${shape.join(', ')}]`).join(' ')
  if (text(averages) !== text(values))
    throw new ArgumentError(
      `AveragedModel.update: the model's ${values.length} ${what} are not those of the average, ${averages.length}`,
      { fix: 'pass the model that the average was made of' },
    )
  return averages.map((average, i): Pair => [average, values[i]!])
}

/** 0-d, f64: how much of an average stays; 0 of the first one. */
function keptShare({ nAveraged, decay }: AveragedModel<Module>): Tensor {
  const count = nAveraged.to('f64')
  return decay === null ? count.div(count.add(1)) : where(nAveraged.eq(0), count, full([], decay, like(count)))
}

const like = ({ dtype, device }: Tensor): { dtype: TensorDtype; device: DeviceName } => ({
  dtype: dtype as TensorDtype,
  device,
})

function updateAll(pairs: readonly Pair[], kept: Tensor): void {
  const [averages, values] = [pairs.map(([average]) => average), pairs.map(([, value]) => value)]
  if (currentTracer() !== null) {
    updateSome(averages, values, kept)
    return
  }
  const kind = (i: number): string => [values[i]!.dtype, values[i]!.isContiguous()].join()
  for (const { indices, isFlat } of chunksOf(averages, [...averages.keys()], false, kind)) {
    const fitted = (list: readonly Tensor[]): Tensor[] => indices.map(i => (isFlat ? flat(list[i]!) : list[i]!))
    compiledUpdate(fitted(averages), fitted(values), kept)
  }
}

/** In this form an average of which nothing stays is exactly the value. */
function updateSome(averages: readonly Tensor[], values: readonly Tensor[], kept: Tensor): void {
  for (const [i, average] of averages.entries()) {
    const wide = average.dtype === 'f64' ? 'f64' : 'f32'
    const value = values[i]!.to(wide)
    average.copy_(value.sub(value.sub(average.to(wide)).mul(kept.to(wide))))
  }
}

const compiledUpdate = compile(updateSome, { dynamic: true, recompileLimit, name: 'AveragedModel.update' })

// --- batch norm ------------------------------------------------------------------------------------------------------------

/** Options of `updateBN`. */
export interface UpdateBNOptions<B> {
  /** The model's input of a batch. Default: the batch, the first of a list, or the first field of an object. */
  readonly input?: ((batch: B) => Tensor) | undefined
  /** Where inputs are moved to. Default: they stay where they are. */
  readonly device?: DeviceName | undefined
}

/**
 * Computes the running statistics of all batch norms in `model` anew, as the means over the batches: those of averaged weights
 * are not the average of statistics. Modes and momenta are then as they were.
 *
 * @param batches a loader, or a list of batches
 * @param model what to run, without gradients and in training mode
 * @param options see `UpdateBNOptions`
 * @throws ArgumentError for a batch in which no input is found
 * @example await updateBN(loader, averaged)
 */
export async function updateBN<B>(
  batches: Iterable<B> | AsyncIterable<B>,
  model: Module & ((input: Tensor) => unknown),
  options: UpdateBNOptions<B> = {},
): Promise<void> {
  checkOptionsObject('updateBN', options, ['input', 'device'])
  const { input = inputOf, device } = options
  const norms = model.modules().filter(module => isBatchNorm(module))
  if (norms.length === 0) return
  const modes = model.modules().map(module => [module, module.training] as const)
  const momenta = norms.map(norm => norm.momentum)
  for (const norm of norms) {
    norm.resetRunningStats()
    norm.momentum = null
  }
  model.train()
  try {
    for await (const batch of batches) {
      const x = input(batch)
      noGrad(() => model(device === undefined ? x : x.to(device)))
    }
  } finally {
    for (const [i, norm] of norms.entries()) norm.momentum = momenta[i]!
    for (const [module, mode] of modes) module.training = mode
  }
}

type BatchNorm = BatchNorm1d | BatchNorm2d | BatchNorm3d
const isBatchNorm = (module: Module): module is BatchNorm =>
  [BatchNorm1d, BatchNorm2d, BatchNorm3d].some(kind => module instanceof kind)

function inputOf(batch: unknown): Tensor {
  const first = batch instanceof Tensor || typeof batch !== 'object' || batch === null ? batch : Object.values(batch)[0]
  if (first instanceof Tensor) return first
  throw new ArgumentError(`updateBN: a batch is ${describeAny(batch)}, which does not begin with a tensor`, {
    fix: 'say where its input is: { input: batch => batch.x }',
  })
}

// --- learning rate ---------------------------------------------------------------------------------------------------------

/** Options of `swaLR`. */
export interface SWALROptions {
  /** Steps from the present learning rate to the constant one; 10 by default. */
  readonly annealEpochs?: number | undefined
  /** Along half a cosine ('cos', default) or a line ('linear'). */
  readonly annealStrategy?: 'cos' | 'linear' | undefined
}

/**
 * From the learning rate that each group of `optimizer` has at the first step to the constant one `swaLr`, for the steps over
 * which weights are averaged; until then another schedule may set it. PyTorch's `SWALR`.
 *
 * @throws ArgumentError for options out of range
 */
export function swaLR(optimizer: Scheduled, swaLr: number, options: SWALROptions = {}): Schedule {
  checkOptionsObject('swaLR', options, ['annealEpochs', 'annealStrategy'])
  const { annealEpochs = 10, annealStrategy = 'cos' } = options
  requireNumber('swaLR', 'swaLr', swaLr)
  requireCount('swaLR', 'annealEpochs', annealEpochs, 0)
  if (!['cos', 'linear'].includes(annealStrategy))
    throw new ArgumentError(`swaLR: annealStrategy is ${describeAny(annealStrategy)}`, { fix: "use 'cos' or 'linear'" })
  const share = (t: number): number => {
    const part = Math.min(1, t / Math.max(1, annealEpochs))
    return annealStrategy === 'linear' ? part : (1 - Math.cos(Math.PI * part)) / 2
  }
  const curve = (t: number, base: number): number => base + (swaLr - base) * share(t)
  return new Schedule('swaLR', optimizer, curve, null, true)
}
