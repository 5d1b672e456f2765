/** What people get wrong in a call, as data: what it is given, and what its error says; and what calls are made of. */
import { scaledDotProductAttention, type Tensor, zeros } from '../../../src/index.js'
import * as quant from '../../../src/quant/index.js'
import type { TensorDtype } from '../../../src/types/dtype.js'
import { elementFormats, quantFormat, scaleStorage } from '../../../src/types/quant.js'
import { rows } from '../../support/rows.js'

export interface Mistake {
  readonly name: string
  readonly given: (device: 'cpu' | 'cuda') => readonly unknown[]
  /** As plain JavaScript calls it, which knows no types. */
  readonly call: (...args: readonly unknown[]) => unknown
  /** The error's class, and what it says of what was given. */
  readonly error: string
  readonly message: string
  /** A part of what it says to do. */
  readonly fix: string
}

const ops = { ...quant, scaledDotProductAttention } as unknown as Readonly<Record<string, Mistake['call']>>

/** What calls are made of. */
export interface Tools {
  /** [3, 32] */
  readonly x: Tensor
  /** [4, 32], mxint8 */
  readonly w: quant.QuantizedTensor
  readonly zeros: (shape: readonly number[], dtype?: TensorDtype) => Tensor
  readonly pack: (shape: readonly number[], format?: quant.QuantFormatName) => quant.QuantizedTensor
}

function toolsOn(device: 'cpu' | 'cuda'): Tools {
  // Copied to the device: the stand-in for a GPU takes long to run a kernel.
  const make: Tools['zeros'] = (shape, dtype = 'f32') => zeros([...shape], { device: 'cpu', dtype }).to(device)
  const pack: Tools['pack'] = (shape, format = 'mxint8') => {
    const { element, block, scale, tensorScale } = quantFormat('test', format)
    const { perByte, storage } = elementFormats[element]
    const [lead, K] = [shape.slice(0, -1), shape.at(-1)!]
    return quant.quantizedTensor({
      format,
      values: make([...lead, K / perByte], storage),
      scales: make(typeof block === 'number' ? [...lead, K / block] : [], scaleStorage(scale)),
      tensorScale: tensorScale ? make([]) : null,
    })
  }
  return { x: make([3, 32]), w: pack([4, 32]), zeros: make, pack }
}

export function gone(tensor: Tensor): Tensor {
  tensor.dispose()
  return tensor
}

/** What a call is given. */
export type Row = (t: Tools) => readonly unknown[]
export const given = (...args: readonly unknown[]): readonly unknown[] => args

/** Each key: `name ⇒ class of the error: what it says ⇒ what its fix names`, the last where that is told. */
export const table = (op: string, given: Readonly<Record<string, Row>>): Mistake[] =>
  rows(given).map(([name, row, says, fix]) => {
    const [error] = says.split(': ', 1) as [string]
    const message = says.slice(error.length + 2)
    return {
      name: `${op}, ${name}`,
      given: device => row(toolsOn(device)),
      call: (...args) => ops[op]!(...args), // the line of all mistakes
      error,
      message: error === 'DisposedError' ? message : `: ${message}`,
      fix,
    }
  })
