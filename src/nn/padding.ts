/** Padding of the spatial dims. */
import { ArgumentError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { pad } from '../tensor/functions.js'
import type { Tensor } from '../tensor/tensor.js'
import { Layer } from './layer.js'

/** One number for all sides, or [before, after] of the last dim, then of the one before, … */
export type Padding = number | readonly number[]

const padSignature = signature('padding: int | ints')
const constantSignature = signature('padding: int | ints, value: number')

abstract class Pad extends Layer {
  /** What is added at the edges, per side or dim. */
  readonly padding: readonly number[]

  constructor(name: string, dims: number, padding: Padding) {
    super()
    const sides = typeof padding === 'number' ? new Array<number>(2 * dims).fill(padding) : [...padding]
    if (sides.length !== 2 * dims) {
      throw new ArgumentError(`${name}: the padding has ${sides.length} numbers: [${sides.join(', ')}]`, {
        fix: `give one number, or ${2 * dims}: before and after each dim, the last dim first`,
      })
    }
    this.padding = Object.freeze(sides)
  }
}

/** Zeros around [N, C, L], or without N. */
export class ZeroPad1d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ZeroPad1d', 1, takeArguments('ZeroPad1d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'constant')
  }
}

/** Zeros around [N, C, H, W], or without N. */
export class ZeroPad2d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ZeroPad2d', 2, takeArguments('ZeroPad2d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'constant')
  }
}

/** Zeros around [N, C, D, H, W], or without N. */
export class ZeroPad3d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ZeroPad3d', 3, takeArguments('ZeroPad3d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'constant')
  }
}

/** The values mirrored at the edge, without it, around [N, C, L], or without N. */
export class ReflectionPad1d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ReflectionPad1d', 1, takeArguments('ReflectionPad1d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'reflect')
  }
}

/** The values mirrored at the edge, without it, around [N, C, H, W], or without N. */
export class ReflectionPad2d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ReflectionPad2d', 2, takeArguments('ReflectionPad2d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'reflect')
  }
}

/** The values mirrored at the edge, without it, around [N, C, D, H, W], or without N. */
export class ReflectionPad3d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ReflectionPad3d', 3, takeArguments('ReflectionPad3d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'reflect')
  }
}

/** The value at the edge around [N, C, L], or without N. */
export class ReplicationPad1d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ReplicationPad1d', 1, takeArguments('ReplicationPad1d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'replicate')
  }
}

/** The value at the edge around [N, C, H, W], or without N. */
export class ReplicationPad2d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ReplicationPad2d', 2, takeArguments('ReplicationPad2d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'replicate')
  }
}

/** The value at the edge around [N, C, D, H, W], or without N. */
export class ReplicationPad3d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('ReplicationPad3d', 3, takeArguments('ReplicationPad3d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'replicate')
  }
}

/** The values from the other end around [N, C, L], or without N. */
export class CircularPad1d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('CircularPad1d', 1, takeArguments('CircularPad1d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'circular')
  }
}

/** The values from the other end around [N, C, H, W], or without N. */
export class CircularPad2d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('CircularPad2d', 2, takeArguments('CircularPad2d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'circular')
  }
}

/** The values from the other end around [N, C, D, H, W], or without N. */
export class CircularPad3d extends Pad {
  constructor(padding: Padding)
  constructor(...args: readonly unknown[]) {
    super('CircularPad3d', 3, takeArguments('CircularPad3d', padSignature, args).padding)
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'circular')
  }
}

/** One value around [N, C, L], or without N. */
export class ConstantPad1d extends Pad {
  /** What is put in. */
  readonly value: number

  constructor(padding: Padding, value: number)
  constructor(...args: readonly unknown[]) {
    const { padding, value } = takeArguments('ConstantPad1d', constantSignature, args)
    super('ConstantPad1d', 1, padding)
    this.value = value
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'constant', this.value)
  }
}

/** One value around [N, C, H, W], or without N. */
export class ConstantPad2d extends Pad {
  /** What is put in. */
  readonly value: number

  constructor(padding: Padding, value: number)
  constructor(...args: readonly unknown[]) {
    const { padding, value } = takeArguments('ConstantPad2d', constantSignature, args)
    super('ConstantPad2d', 2, padding)
    this.value = value
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'constant', this.value)
  }
}

/** One value around [N, C, D, H, W], or without N. */
export class ConstantPad3d extends Pad {
  /** What is put in. */
  readonly value: number

  constructor(padding: Padding, value: number)
  constructor(...args: readonly unknown[]) {
    const { padding, value } = takeArguments('ConstantPad3d', constantSignature, args)
    super('ConstantPad3d', 3, padding)
    this.value = value
  }

  forward(input: Tensor): Tensor {
    return pad(input, this.padding, 'constant', this.value)
  }
}
