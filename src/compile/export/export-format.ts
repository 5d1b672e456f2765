/**
 * The file format of an exported function: one line with the format, digest and length, one line with the length of the
 * description, the description as JSON, then the blobs (libraries, the memory of closed-over tensors) one after another.
 */

import type { Artifact } from '../../backends/artifact.js'
import type { ExportRequirements, MachineOptions } from '../../backends/device.js'
import { contentHash } from '../../base/canonical.js'
import { ArgumentError, ArtifactError } from '../../base/errors.js'
import type { SizeSymbol } from '../../graph/ir.js'
import type { Size } from '../../scalar/size.js'
import { sizeReplacer, sizeReviver } from '../../scalar/size-json.js'
import type { Device } from '../../tensor/device.js'
import type { Layout } from '../../tensor/layout.js'
import type { Dtype } from '../../types/dtype.js'
import type { Change } from '../capture/argument-state.js'
import type { ArgumentTree } from '../capture/argument-tree.js'
import type { BoxedInput, BoxedScalar } from '../capture/boxed-numbers.js'
import type { ResultSource } from '../capture/results.js'
import type { SuppliedScalar } from '../capture/segment.js'
import { childrenOf, describeValue, type Tree } from '../capture/tree.js'
import type { Variant } from '../execute/variant.js'
import type { SizeCondition, TensorGuard } from '../guards/guards.js'

export interface ExportedTensor {
  /** Index among the storages. */
  readonly storage: number
  readonly device: Device
  readonly dtype: Dtype
  readonly layout: Layout
}

/** A plan's code on a device, in the versions that calls may need. */
export interface ExportedCode {
  readonly device: Device
  /** Options for running its steps. */
  readonly options: MachineOptions
  /** By variant: the one that assumes everything first, the one that any call may run last; or only the latter. */
  readonly versions: readonly {
    readonly variant: Variant
    readonly artifact: Artifact
    /** Compiled code of the artifact's source: indices among the libraries, and the compiler's messages. */
    readonly files: readonly number[]
    readonly log: string
  }[]
}

/** `EntryData` and its code, with indices in place of objects. */
export interface ExportedVersion {
  readonly args: ArgumentTree
  readonly result: Tree
  readonly changes: readonly Change[]
  readonly guards: readonly TensorGuard[]
  readonly symbols: readonly SizeSymbol[]
  readonly inputs: readonly { readonly path: string; readonly tensor: ExportedTensor | null; readonly value: number }[]
  readonly inputOfLeaf: readonly number[]
  readonly written: readonly number[]
  /** Random numbers drawn from the default generator: their count, and the seed's index among the scalars. */
  readonly draws: readonly { readonly elements: Size; readonly scalar: number }[]
  readonly supplied: readonly SuppliedScalar[]
  readonly readsSizes: boolean
  /** Traced calls: the numbers and sizes that the function may read, and what each trace supplied. */
  readonly known: readonly ExportedCall[]
  readonly results: readonly ResultSource[]
  readonly conditions: readonly SizeCondition[]
  readonly facts: readonly Size[]
  readonly boxes: readonly BoxedInput[]
  readonly boxedScalars: readonly BoxedScalar[]
  readonly boxOf: readonly number[]
  readonly code: ExportedCode
}

export interface ExportedCall {
  readonly key: readonly number[]
  readonly numbers: readonly (number | bigint)[]
  readonly symbols: readonly number[]
  /** Each wrapped in a list, which is empty for undefined, as JSON cannot represent that. */
  readonly assigned: readonly (readonly unknown[])[]
}

/** Requirements on the machine and on Tegula's version. */
export interface Requirements {
  readonly version: string
  /** By back end: the requirements that it checks, and files shared by all of its code, as indices among the libraries. */
  readonly backends: Readonly<
    Record<string, { readonly needs: ExportRequirements['needs']; readonly files: readonly number[] }>
  >
}

export interface ExportedFunction {
  readonly name: string
  readonly requires: Requirements
  readonly versions: readonly ExportedVersion[]
  /** Files of compiled code. */
  readonly libraries: readonly Uint8Array[]
  readonly storages: readonly Uint8Array[]
}

const format = 5
const magic = `tegula-compiled ${format}`
const headerPattern = /^tegula-compiled (\d+) ([0-9a-f]{64}) (\d+)$/
const maxHeaderBytes = 128

export function encodeExport({ libraries, storages, ...description }: ExportedFunction): Uint8Array {
  const lengths = { libraries: libraries.map(blob => blob.length), storages: storages.map(blob => blob.length) }
  const json = Buffer.from(JSON.stringify({ ...description, lengths }, exportReplacer))
  const payload = Buffer.concat([Buffer.from(`${json.length}\n`), json, ...libraries, ...storages])
  return Buffer.concat([Buffer.from(`${magic} ${contentHash([payload])} ${payload.length}\n`), payload])
}

/** The inverse of `encodeExport`. Throws ArtifactError for other bytes; `from` names them in messages. */
export function decodeExport(bytes: Uint8Array, from: string): ExportedFunction {
  const payload = verifiedPayload(bytes, from)
  const lineEnd = payload.indexOf(0x0a)
  let at = lineEnd + 1 + Number(text(payload.subarray(0, lineEnd)))
  const { lengths, ...description } = JSON.parse(text(payload.subarray(lineEnd + 1, at)), exportReviver) as Described
  const blobs = (sizes: readonly number[]): Uint8Array[] =>
    sizes.map(size => {
      at += size
      return payload.subarray(at - size, at)
    })
  return { ...description, libraries: blobs(lengths.libraries), storages: blobs(lengths.storages) }
}

interface Described extends Omit<ExportedFunction, 'libraries' | 'storages'> {
  readonly lengths: { readonly libraries: readonly number[]; readonly storages: readonly number[] }
}

/** The content of an exported file. Throws ArtifactError when it is damaged or of another format. */
function verifiedPayload(bytes: Uint8Array, from: string): Uint8Array {
  const fail = (what: string, fix: string): never => {
    throw new ArtifactError(`loadCompiled: ${from} ${what}`, { fix })
  }
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(0x0a)
  const match = end < 0 ? null : headerPattern.exec(text(bytes.subarray(0, end)))
  if (match === null) return fail('is no compiled function of Tegula', 'pass what exportCompiled() gave')
  const [, found, digest, length] = match
  if (Number(found) !== format) return fail(`has format ${found}, not ${format}`, 'export it again with this version')
  const payload = bytes.subarray(end + 1)
  const copyAgain = 'copy the file again, or export it again'
  if (payload.length !== Number(length)) return fail(`holds ${payload.length} of ${length} bytes`, copyAgain)
  if (contentHash([payload]) !== digest) return fail('is damaged: its digest differs', copyAgain)
  return payload
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

/** Encodes values that JSON cannot represent: guards compare values by `Object.is`, so they must be exact. */
function exportReplacer(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (key === 'prototype') return { $prototype: [...prototypes].find(([, prototype]) => prototype === value)?.[0] }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (value === undefined) return key === 'value' ? { $undefined: true } : undefined
  if (typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))) {
    return { $number: Object.is(value, -0) ? '-0' : String(value) }
  }
  return sizeReplacer(key, value)
}

function exportReviver(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    if ('$bigint' in value) return BigInt(value.$bigint as string)
    if ('$number' in value) return Number(value.$number)
    if ('$prototype' in value) return prototypes.get(value.$prototype as string)
    if ('$bytes' in value) return new Uint8Array(Buffer.from(value.$bytes as string, 'base64'))
  }
  return sizeReviver(key, value)
}

/** Prototypes of objects that arguments of exported functions may contain, by name. */
const prototypes: ReadonlyMap<string, object | null> = new Map<string, object | null>([
  ['null', null],
  ...[Object, Array, Map, Set, Date, ArrayBuffer, DataView, Buffer, Int8Array, Uint8Array, Uint8ClampedArray].map(
    named,
  ),
  ...[Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array].map(named),
  ...[Float32Array, Float64Array].map(named),
])

function named(type: { readonly name: string; readonly prototype: object }): [string, object] {
  return [type.name, type.prototype]
}

/** Restores undefined, which a JSON reviver cannot return. */
export function reviveArguments(tree: ArgumentTree): ArgumentTree {
  switch (tree.kind) {
    case 'value': {
      const { value } = tree
      const isUndefined = typeof value === 'object' && value !== null && '$undefined' in value
      return isUndefined ? { ...tree, value: undefined } : tree
    }
    case 'array':
    case 'set':
    case 'record':
      return { ...tree, items: tree.items.map(reviveArguments) }
    case 'map':
      return { ...tree, keys: tree.keys.map(reviveArguments), items: tree.items.map(reviveArguments) }
    default:
      return tree
  }
}

/** In results the only plain values are null and, for nothing at all, undefined. */
export const reviveResult = (tree: Tree): Tree =>
  tree.kind === 'value' && tree.value !== null ? { ...tree, value: undefined } : tree

/** Throws ArgumentError for a value that is guarded by identity, which has no meaning in another process. */
export function checkPortable(tree: ArgumentTree, name: string): void {
  const refuse = (what: string): never => {
    throw new ArgumentError(`exportCompiled: ${tree.path} of ${name} is ${what}`, {
      fix: 'pass tensors, numbers, strings, booleans, and arrays and plain objects of them; close over the rest',
    })
  }
  if (tree.kind === 'record' && tree.guarded !== null)
    refuse(`${describeValue(tree.guarded.value)}, guarded by identity`)
  if (tree.kind === 'value') {
    const { value } = tree
    const isPlain = value === null || !['object', 'function', 'symbol'].includes(typeof value)
    if (!isPlain) refuse(`${describeValue(value)}, guarded by identity`)
  }
  if ('prototype' in tree && ![...prototypes.values()].includes(tree.prototype)) {
    refuse(`an object of class ${tree.prototype?.constructor.name}, which another process does not have`)
  }
  if (tree.kind === 'record' && tree.hidden.length > 0) refuse('an object with hidden fields')
  for (const child of childrenOf(tree)) checkPortable(child, name)
}
