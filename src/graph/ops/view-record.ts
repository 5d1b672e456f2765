/** Shared by view records: one input, one result, a reference on row-major arrays. */
import type { Attrs } from '../../ir/node.js'
import type { GraphBuilder, GraphNode, Shape } from '../ir.js'
import {
  type Gradient,
  type HostTensor,
  type OpCall,
  type OpInput,
  type OpTexts,
  type SignedRecord,
  signed,
  type Value,
} from '../record.js'
import type { AttrsOf, Bound } from '../signature.js'
import { anyKept } from './texts.js'

interface ViewColumns<A extends Attrs> extends OpTexts {
  readonly name: string
  readonly summary: string
  /** `index`: an op on one tensor whose result has its own memory. Default: `view`. */
  readonly category?: 'view' | 'index'
  readonly hint?: string
  readonly build: (b: GraphBuilder, node: GraphNode, attrs: A) => GraphNode
  readonly reference?: (input: HostTensor, attrs: A) => HostTensor
  readonly gradient?: Gradient<A>
}

/** A view: `build` on the one input's node. `call` where the attributes are not the arguments as they are. */
export function view<const Text extends string>(
  definition: ViewColumns<AttrsOf<Text>> & { readonly signature: Text; readonly call?: never },
): SignedRecord<Text, AttrsOf<Text>>
export function view<const Text extends string, A extends Attrs>(
  definition: ViewColumns<A> & { readonly signature: Text; readonly call: (args: Bound<Text>) => OpCall<A> },
): SignedRecord<Text, A>
export function view<A extends Attrs>(
  given: ViewColumns<never> & { readonly signature: string; readonly call?: (args: never) => OpCall<Attrs> },
): unknown {
  const {
    build,
    reference,
    category = 'view',
    signature,
    call,
    ...columns
  } = given as ViewColumns<A> & {
    readonly signature: string
    readonly call?: (args: Bound<string>) => OpCall<A>
  }
  const record = {
    dtypes: anyKept,
    ...columns,
    category,
    results: null,
    build: (b: GraphBuilder, [input]: readonly OpInput[], attrs: A) => [build(b, input!.node, attrs)],
    ...(reference && {
      reference: ([input]: readonly HostTensor[], attrs: A) => [reference(input!, attrs)],
    }),
  }
  return signed<string, A, null>(record, signature, call)
}

export const viewCall = <A extends Attrs>(self: Value, attrs: A) => ({ inputs: [self], attrs })

export const numbers = (shape: Shape): readonly number[] => shape as readonly number[]

export type PermuteAttrs = { readonly dims: readonly number[] }
