/**
 * One run of the driver's assembler, as a self-contained function: its text also runs in worker threads, which cannot import
 * our modules (under a bundler or a TypeScript loader there may be none).
 */

/** What to assemble. */
export interface LinkRequest {
  /** Zero-terminated text. */
  readonly ptx: Uint8Array
  /** Pairs of CUjit_option and value, besides the logs. */
  readonly options: readonly (readonly [number, number])[]
}

export interface LinkAnswer {
  /** CUresult */
  readonly result: number
  readonly cubin: Uint8Array | null
  readonly info: string
  readonly error: string
}

/** The functions of the driver and of koffi that it uses. */
export interface LinkTools {
  cuLinkCreate(count: number, options: number, values: number, out: number): number
  cuLinkAddData(
    state: number,
    type: number,
    data: number,
    bytes: number,
    name: string,
    count: number,
    options: number,
    values: number,
  ): number
  cuLinkComplete(state: number, cubin: number, bytes: number): number
  cuLinkDestroy(state: number): number
  addressOf(buffer: ArrayBuffer): number
  bytesAt(address: number, bytes: number): Uint8Array
}

/** Assembles on this thread, whose current context is the device's. Self-contained: see above. */
export function link(tools: LinkTools, { ptx, options }: LinkRequest): LinkAnswer {
  /* CUjit_option */
  const [infoLog, infoLogBytes, errorLog, errorLogBytes] = [3, 4, 5, 6] as const
  const logBytes = 256 * 1024
  const ptxInput = 1
  const info = new Uint8Array(logBytes)
  const error = new Uint8Array(logBytes)
  const all = [
    [infoLog, tools.addressOf(info.buffer)],
    [infoLogBytes, logBytes],
    [errorLog, tools.addressOf(error.buffer)],
    [errorLogBytes, logBytes],
    ...options,
  ] as const
  const names = Uint32Array.from(all, ([name]) => name)
  const values = BigUint64Array.from(all, ([, value]) => BigInt(value))
  const out = new BigUint64Array(2)
  const outAddress = tools.addressOf(out.buffer)
  const text = (log: Uint8Array): string => Buffer.from(log.buffer, 0, Math.max(0, log.indexOf(0))).toString('utf8')
  let result = tools.cuLinkCreate(all.length, tools.addressOf(names.buffer), tools.addressOf(values.buffer), outAddress)
  let cubin: Uint8Array | null = null
  if (result === 0) {
    const state = Number(out[0])
    const image = ptx.slice()
    const imageAddress = tools.addressOf(image.buffer)
    result = tools.cuLinkAddData(state, ptxInput, imageAddress, image.length, 'tegula.ptx', 0, 0, 0)
    if (result === 0) result = tools.cuLinkComplete(state, outAddress, outAddress + 8)
    // The linker owns the code, which is freed with its state.
    if (result === 0) cubin = tools.bytesAt(Number(out[0]), Number(out[1]))
    tools.cuLinkDestroy(state)
  }
  return { result, cubin, info: text(info), error: text(error) }
}
