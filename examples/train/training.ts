/** The loop that both programs share: compiled steps, progress, checkpoints. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compile, defaultGenerator, type RandomState, type Tensor, tensor } from 'tegula'
import type { DataLoader, DataLoaderState } from 'tegula/data'
import type { Module, StateDict } from 'tegula/nn'
import { clipGradNorm, type Optimizer, type OptimizerStateDict, type Schedule, type ScheduleState } from 'tegula/optim'
import { lossCurve } from '../charts.js'
import { bar, progress } from '../progress.js'
import { load, save } from '../safetensors.js'
import { type RunOptions, withPrecision } from './options.js'

/** A model and what trains it. */
export interface Training<B> {
  /** What files are called after. */
  readonly name: string
  readonly net: Module
  readonly optimizer: Optimizer<object>
  /** Moves on once per step. */
  readonly schedule: Schedule
  readonly loader: DataLoader<B, B>
  readonly lossOf: (batch: B) => Tensor
  /** What the throughput counts, and how many a step takes. */
  readonly unit: string
  readonly perStep: number
  /** What decides the numbers: a checkpoint of another configuration is refused. */
  readonly config: Readonly<Record<string, number | string>>
}

/** All that a training consists of between two steps. */
interface Checkpoint {
  readonly config: Training<unknown>['config']
  /** f64: the loss of each step so far. */
  readonly losses: Tensor
  readonly model: StateDict
  readonly optimizer: OptimizerStateDict
  readonly schedule: ScheduleState
  readonly loader: DataLoaderState
  readonly random: RandomState
}

/** Trains to the end, from the start or from a checkpoint; writes the loss curve. The loss of each step. */
export async function train<B>(training: Training<B>, options: RunOptions): Promise<readonly number[]> {
  const folders = [options.out, ...(options.checkpoint === null ? [] : [dirname(options.checkpoint)])]
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const losses = options.resume ? resumed(training, options) : []
  const eager = stepOf(training, options)
  const compiled = options.eager ? null : compile(eager, compileOptions(options))
  const step = compiled ?? eager
  const clock = new Clock(training, options.steps)
  while (losses.length < options.steps) {
    for await (const batch of training.loader) {
      losses.push(await step(batch).item())
      training.schedule.step()
      clock.tick(losses)
      const isLast = losses.length === options.steps
      if (options.checkpoint !== null && (isLast || losses.length % options.every === 0))
        writeCheckpoint(training, losses, options.checkpoint)
      if (isLast) break
    }
  }
  clock.report(compiled?.stats().compiles ?? null)
  const curve = join(options.out, `${training.name}-loss.svg`)
  writeFileSync(curve, lossCurve(losses))
  console.log(`written           ${[curve, options.checkpoint ?? []].flat().join(', ')}`)
  return losses
}

const compileOptions = ({ device }: RunOptions) =>
  ({ fullgraph: true, mode: device === 'cpu' ? 'default' : 'reduce-overhead' }) as const

/** Forward, backward, update. */
function stepOf<B>({ net, optimizer, lossOf }: Training<B>, { precision }: RunOptions): (batch: B) => Tensor {
  return batch => {
    const loss = withPrecision(precision, () => lossOf(batch))
    loss.backward()
    clipGradNorm(net.parameters(), 1)
    optimizer.step()
    optimizer.zeroGrad()
    return loss.detach()
  }
}

function writeCheckpoint<B>(
  { config, net, optimizer, schedule, loader }: Training<B>,
  losses: readonly number[],
  file: string,
): void {
  const checkpoint: Checkpoint = {
    config,
    losses: tensor([...losses], { dtype: 'f64' }),
    model: net.stateDict(),
    optimizer: optimizer.stateDict(),
    schedule: schedule.stateDict(),
    loader: loader.stateDict(),
    random: { seed: defaultGenerator.seed, offset: defaultGenerator.offset },
  }
  save(file, checkpoint)
}

/** Brings everything to where the checkpoint was written; the losses up to there. */
function resumed<B>({ config, net, optimizer, schedule, loader }: Training<B>, options: RunOptions): number[] {
  const file = options.checkpoint!
  if (!existsSync(file)) throw new Error(`there is no checkpoint ${file} to resume; start without --resume`)
  const checkpoint = load(file) as Checkpoint
  for (const [name, value] of Object.entries(config)) {
    const saved = checkpoint.config[name]
    if (saved !== value)
      throw new Error(`${file} is of a training with ${name} ${JSON.stringify(saved)}, not ${JSON.stringify(value)}`)
  }
  net.loadStateDict(checkpoint.model)
  optimizer.loadStateDict(checkpoint.optimizer)
  schedule.loadStateDict(checkpoint.schedule)
  loader.loadStateDict(checkpoint.loader)
  defaultGenerator.restore(checkpoint.random)
  return [...checkpoint.losses.dataSync('f64')]
}

/** Progress with loss and throughput; the first step, which compiles, counts apart. */
class Clock {
  private readonly start = performance.now()
  private first = 0
  private ticks = 0

  constructor(
    private readonly training: { readonly unit: string; readonly perStep: number },
    private readonly steps: number,
  ) {}

  tick(losses: readonly number[]): void {
    if (this.ticks++ === 0) this.first = performance.now() - this.start
    const done = losses.length
    const recent = losses.slice(-10)
    const loss = recent.reduce((sum, value) => sum + value, 0) / recent.length
    const line = `step ${String(done).padStart(String(this.steps).length)}/${this.steps} ${bar(done / this.steps)} loss ${loss.toFixed(4)}  ${this.rate()}`
    progress(line, done === this.steps || (!process.stdout.isTTY && done % Math.ceil(this.steps / 10) === 0))
  }

  report(versions: number | null): void {
    if (this.ticks === 0) return
    const compiled =
      versions === null ? 'eager' : `with compiling; ${versions} compiled version${versions === 1 ? '' : 's'}`
    console.log(`first step        ${(this.first / 1000).toFixed(1)} s ${compiled}`)
  }

  private rate(): string {
    if (this.ticks < 2) return ''
    const seconds = (performance.now() - this.start - this.first) / 1000
    const rate = ((this.ticks - 1) * this.training.perStep) / seconds
    return `${rate.toFixed(rate < 100 ? 1 : 0).padStart(6)} ${this.training.unit}/s`
  }
}
