/**
 * Writes small ONNX models (protobuf, by hand): the input of onnxruntime-node in the benchmarks. Field numbers are those of
 * onnx.proto; only the features that the cases need are here.
 */

export interface OnnxTensor {
  readonly shape: readonly number[]
  readonly data: Float32Array | BigInt64Array
}

export type OnnxAttribute = number | string | readonly number[] | { readonly float: number }

export interface OnnxNode {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>
}

export interface OnnxGraph {
  readonly inputs: Readonly<Record<string, readonly number[]>>
  readonly outputs: Readonly<Record<string, readonly number[]>>
  readonly constants?: Readonly<Record<string, OnnxTensor>>
  readonly nodes: readonly OnnxNode[]
}

const irVersion = 9
const opset = 20
const float = 1
const int64 = 7
/** Values of AttributeProto.type. */
const attributeType = { float: 1, int: 2, string: 3, ints: 7 }

/** The bytes of a model; floats are f32. */
export function onnxModel(graph: OnnxGraph): Uint8Array {
  const model = [varint(1, irVersion), message(8, [varint(2, opset)]), message(7, graphProto(graph))]
  return Buffer.concat(model.flat())
}

function graphProto({ inputs, outputs, constants = {}, nodes }: OnnxGraph): Buffer[] {
  return [
    ...nodes.flatMap(node => message(1, nodeProto(node))),
    text(2, 'graph'),
    ...Object.entries(constants).flatMap(([name, tensor]) => message(5, tensorProto(name, tensor))),
    ...Object.entries(inputs).flatMap(([name, shape]) => message(11, valueProto(name, shape))),
    ...Object.entries(outputs).flatMap(([name, shape]) => message(12, valueProto(name, shape))),
  ]
}

function nodeProto({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer[] {
  return [
    ...inputs.map(name => text(1, name)),
    ...outputs.map(name => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).flatMap(([name, value]) => message(5, attributeProto(name, value))),
  ]
}

function attributeProto(name: string, value: OnnxAttribute): Buffer[] {
  const typed = (type: number, fields: Buffer[]): Buffer[] => [text(1, name), ...fields, varint(20, type)]
  if (typeof value === 'string') return typed(attributeType.string, [text(4, value)])
  if (typeof value === 'number') return typed(attributeType.int, [varint(3, value)])
  if ('float' in value) return typed(attributeType.float, [float32(2, value.float)])
  return typed(
    attributeType.ints,
    value.map(item => varint(8, item)),
  )
}

function tensorProto(name: string, { shape, data }: OnnxTensor): Buffer[] {
  const type = data instanceof Float32Array ? float : int64
  const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return [...shape.map(size => varint(1, size)), varint(2, type), text(8, name), ...bytes(9, raw)]
}

function valueProto(name: string, shape: readonly number[]): Buffer[] {
  const dims = shape.flatMap(size => message(1, [varint(1, size)]))
  const tensorType = message(1, [varint(1, float), ...message(2, dims)])
  return [text(1, name), ...message(2, tensorType)]
}

const varintBytes = (value: number): number[] => {
  const out: number[] = []
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...out, Number(rest)]
    out.push(Number(rest & 127n) | 128)
  }
}

const key = (field: number, wire: number): number[] => varintBytes((field << 3) | wire)
const varint = (field: number, value: number): Buffer => Buffer.from([...key(field, 0), ...varintBytes(value)])
const bytes = (field: number, data: Buffer): Buffer[] => [
  Buffer.from([...key(field, 2), ...varintBytes(data.length)]),
  data,
]
const text = (field: number, value: string): Buffer => Buffer.concat(bytes(field, Buffer.from(value)))
const message = (field: number, parts: readonly Buffer[]): Buffer[] => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return [Buffer.from([...key(field, 2), ...varintBytes(length)]), ...parts]
}

function float32(field: number, value: number): Buffer {
  const data = Buffer.alloc(4)
  data.writeFloatLE(value)
  return Buffer.concat([Buffer.from(key(field, 5)), data])
}
