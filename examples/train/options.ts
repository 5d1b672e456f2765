/** The command line of the training programs. */
import { parseArgs } from 'node:util'
import { autocast, type DeviceName } from 'tegula'

/** What both programs take. */
export interface RunOptions {
  readonly steps: number
  readonly batch: number
  readonly seed: number
  readonly precision: Precision
  readonly device: DeviceName
  /** Runs ops one by one, without `compile`. */
  readonly eager: boolean
  /** Where checkpoints are written, each over the last; null: nowhere. */
  readonly checkpoint: string | null
  /** Steps from one checkpoint to the next. */
  readonly every: number
  /** Goes on from the checkpoint. */
  readonly resume: boolean
  /** The folder of the loss curve. */
  readonly out: string
}

/** What products are computed in. fp8: linear layers in 8-bit floats (`fp8` of tegula/nn), the rest in bf16. */
export type Precision = 'f32' | 'bf16' | 'fp8'

/** Runs `forward` in a precision. */
export const withPrecision = <R>(precision: Precision, forward: () => R): R =>
  precision === 'f32' ? forward() : autocast('bf16', forward)

/** Options of a program: the name, what it is by default, and what it says in `--help`. Defaults that are numbers take counts. */
export type Extras = Readonly<Record<string, readonly [byDefault: number | string, help: string]>>
type Values<E extends Extras> = { readonly [K in keyof E]: E[K][0] extends number ? number : string }

/**
 * The options of the command line.
 *
 * @param program its file, for `--help`
 * @param defaults of `--steps` and `--batch`
 * @param precisions that it can run in
 * @param extras what this program takes besides
 */
export function readOptions<const E extends Extras>(
  program: string,
  defaults: { readonly steps: number; readonly batch: number },
  precisions: readonly Precision[],
  extras: E,
): RunOptions & Values<E> {
  const valued: Extras = {
    steps: [defaults.steps, 'optimiser steps of the whole training'],
    batch: [defaults.batch, 'samples per step'],
    seed: [0, 'of weights, orders and dropout'],
    precision: ['f32', `of matmuls and convolutions: ${precisions.join(', ')}`],
    device: ['cpu', 'cpu or cuda'],
    checkpoint: ['', 'a file that takes up the whole training'],
    every: [100, 'steps from one checkpoint to the next'],
    out: ['out', 'the folder of the loss curve'],
    ...extras,
  }
  const flags = { resume: 'goes on from --checkpoint', eager: 'runs without compile', help: 'prints this' }
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(Object.keys(valued).map(name => [name, { type: 'string' as const }])),
      ...Object.fromEntries(Object.keys(flags).map(name => [name, { type: 'boolean' as const }])),
    },
  })
  if (values.help === true) {
    console.log(helpText(program, valued, flags))
    process.exit()
  }
  const given = Object.entries(valued).map(
    ([name, [byDefault]]) => [name, parsed(name, values[name], byDefault)] as const,
  )
  const options = { resume: false, eager: false, ...values, ...Object.fromEntries(given) } as unknown as RunOptions &
    Values<E> // each option has the type of its default
  if (!precisions.includes(options.precision)) refuse('precision', options.precision, precisions.join(' or '))
  if (options.device !== 'cpu' && !options.device.startsWith('cuda')) refuse('device', options.device, 'cpu or cuda')
  const checkpoint = options.checkpoint === '' ? null : options.checkpoint
  if (options.resume && checkpoint === null) refuse('resume', 'alone', '--checkpoint FILE --resume')
  return { ...options, checkpoint }
}

function parsed(name: string, given: unknown, byDefault: number | string): number | string {
  if (given === undefined) return byDefault
  if (typeof byDefault === 'string') return String(given)
  const value = Number(given)
  const least = name === 'seed' ? 0 : 1
  if (!Number.isSafeInteger(value) || value < least) refuse(name, String(given), `an integer of at least ${least}`)
  return value
}

function refuse(name: string, given: string, wanted: string): never {
  console.error(`--${name} is ${given}; give ${wanted}`)
  process.exit(2)
}

function helpText(program: string, valued: Extras, flags: Readonly<Record<string, string>>): string {
  const rows = [
    ...Object.entries(valued).map(([name, [byDefault, help]]) => {
      const note = byDefault === '' ? '' : ` (${byDefault})`
      return [`--${name} ${typeof byDefault === 'number' ? 'N' : 'VALUE'}`, `${help}${note}`] as const
    }),
    ...Object.entries(flags).map(([name, help]) => [`--${name}`, help] as const),
  ]
  return [`npx tsx ${program} [options]`, ...rows.map(([name, help]) => `  ${name.padEnd(20)}${help}`)].join('\n')
}
