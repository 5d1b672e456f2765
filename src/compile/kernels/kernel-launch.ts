/** A user's kernel compiled for one device; its arguments are set at each launch. */

import type { ComputeDevice } from '../../backends/device.js'
import type { PatchableSteps } from '../../backends/machine.js'
import type { SourceLocation } from '../../base/source.js'
import type { LaunchFacts } from '../../target/launch.js'
import type { Storage } from '../../tensor/storage.js'
import { Tensor } from '../../tensor/tensor.js'
import { type Argument, argumentsOf } from '../../tile/abi.js'
import type { TileProgram } from '../../tile/ir.js'
import { isFloat, itemBytes } from '../../types/dtype.js'
import { runObserver } from '../execute/run-observer.js'
import { lowerKernel } from '../generate.js'

export type KernelArgument = Tensor | number | bigint | boolean

/** A kernel that is ready to run. */
export interface Launch {
  readonly steps: PatchableSteps
  /** Runs it with the arguments and grid set before. `tensors`: by parameter; `written`: parameters that it writes. */
  run(tensors: readonly (Tensor | null)[], written: readonly number[]): void
}

/** @param lines the user's, for device errors. Throws CompilerError or DeviceError as the device's compiler does. */
export function prepareLaunch(
  program: TileProgram,
  device: ComputeDevice,
  facts: LaunchFacts,
  lines: readonly SourceLocation[] = [],
): Launch {
  const { target } = device
  const lane = lowerKernel(program, target, facts)
  const launchable = device.launch({
    source: target.emitter().unit([lane]),
    symbol: target.symbolOf(lane),
    resources: target.resourcesOf(lane),
    args: argumentsOf(program.params).length,
    lines,
  })
  return {
    steps: launchable.steps,
    run: (tensors, written) => {
      for (const [i, tensor] of tensors.entries()) {
        if (tensor !== null) launchable.uses((tensor.source as Storage).block, written.includes(i))
      }
      if (runObserver === null) launchable.run()
      else runObserver.single({ name: program.name, device: device.name, run: () => launchable.run() })
    },
  }
}

const maxDivisor = 16
const index32Limit = 2 ** 31

/** What a kernel may assume for these arguments. */
export function factsOf(list: readonly Argument[], values: readonly KernelArgument[]): LaunchFacts {
  const fits = values.every(value => !(value instanceof Tensor) || reach(value) < index32Limit)
  const divisors = list.map(argument => divisor(argument, values[argument.param]!))
  return { divisors, indices: fits ? 'i32' : 'i64' }
}

function divisor(argument: Argument, value: KernelArgument): number {
  if (!(value instanceof Tensor) || argument.kind === 'scalar') return 1
  if (argument.kind === 'pointer') return largestDivisor(addressOf(value))
  return largestDivisor((argument.kind === 'size' ? value.shape : value.strides)[argument.dim]!)
}

function largestDivisor(value: number): number {
  let found = maxDivisor
  while (value % found !== 0) found /= 2
  return found
}

const reach = ({ shape, strides }: Tensor): number =>
  Math.max(
    ...shape,
    shape.reduce((sum, size, d) => sum + size * Math.abs(strides[d]!), 0),
  )

export const addressOf = ({ source, layout, dtype }: Tensor): number =>
  (source as Storage).block.address + layout.offset * itemBytes(dtype)

export function setArgument(steps: Launch['steps'], index: number, argument: Argument, value: KernelArgument): void {
  if (value instanceof Tensor) {
    if (argument.kind === 'pointer') steps.setPointer(0, index, addressOf(value))
    else if (argument.kind !== 'scalar') {
      steps.setInt(0, index, (argument.kind === 'size' ? value.shape : value.strides)[argument.dim]!)
    }
  } else if (argument.kind === 'scalar') {
    if (isFloat(argument.dtype)) steps.setFloat(0, index, Number(value))
    else steps.setBigInt(0, index, BigInt(value))
  }
}
