/** PyTorch's trajectories and learning rates, as scripts/torch/optimisers.py wrote them down; the format is described there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import {
  Adadelta,
  Adagrad,
  Adam,
  Adamax,
  AdamW,
  ASGD,
  Lion,
  Muon,
  NAdam,
  RAdam,
  RMSprop,
  Rprop,
  SGD,
} from '../../src/optim/index.js'

/** All that step by gradients alone. */
export const optimisers = {
  SGD,
  Adam,
  AdamW,
  Adagrad,
  RMSprop,
  Adadelta,
  Adamax,
  NAdam,
  RAdam,
  Lion,
  Muon,
  Rprop,
  ASGD,
} as const

type Options = Readonly<Record<string, unknown>>

export interface Trajectory {
  readonly name: string
  readonly optimiser: keyof typeof optimisers
  readonly options: Options
  readonly groups?: readonly (Options & { readonly params: readonly number[] })[]
  /** Steps in which parameter 1 has no gradient. */
  readonly missing: readonly number[]
  readonly lrs?: readonly number[]
  /** After some of the steps. */
  readonly weights: Readonly<Record<string, readonly (readonly number[])[]>>
  readonly state?: {
    readonly state: Readonly<Record<string, Readonly<Record<string, readonly number[] | number | null>>>>
    readonly param_groups: readonly Options[]
  }
}

export interface ScheduleCase {
  readonly name: string
  readonly schedule: string
  readonly args: readonly unknown[]
  readonly options: Options
  readonly values: readonly number[]
  readonly momenta?: readonly number[]
}

interface File {
  readonly trajectories: readonly Trajectory[]
  readonly schedules: readonly ScheduleCase[]
  readonly plateaus: readonly {
    readonly options: Options
    readonly metrics: readonly number[]
    readonly values: readonly number[]
  }[]
  readonly lbfgs: readonly {
    readonly options: Options
    /** Before each of three steps. */
    readonly losses: readonly number[]
    readonly weights: readonly (readonly number[])[]
    /** How often the function was called. */
    readonly calls: number
  }[]
}

const path = fileURLToPath(new URL('../../scripts/torch/optimisers.json.gz', import.meta.url))

export const reference = JSON.parse(gunzipSync(readFileSync(path)).toString()) as File
