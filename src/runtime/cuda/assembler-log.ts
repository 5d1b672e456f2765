/** Parses the log of NVIDIA's assembler: registers, spills, and wgmma pipelines that it had to serialise. */

export interface AssembledKernel {
  readonly name: string
  /** 0 if the log lacks it. */
  readonly registers: number
  readonly spillStoreBytes: number
  readonly spillLoadBytes: number
  /** Why wgmmas are serialised; null when they are not. */
  readonly serialized: string | null
}

export interface AssemblerReport {
  readonly kernels: readonly AssembledKernel[]
  readonly warnings: readonly string[]
}

interface Draft {
  name: string
  registers: number
  spillStoreBytes: number
  spillLoadBytes: number
  serialized: string | null
}

const compiling = /Compiling entry function '([^']+)'/
const properties = /Function properties for '?([\w$]+)/
const spills = /(\d+) bytes spill stores, (\d+) bytes spill loads/
const used = /Used (\d+) registers/
/**
 * C7510 and similar: "Potential Performance Loss: wgmma.mma_async instructions are serialized due to …"; and waits (or
 * fences) that the assembler added: "warpgroup.wait is injected in around line …".
 */
const serialized = /\(C75(?:10|11|15)\)|wgmma\S* instructions are serialized|warpgroup\.\w+ is injected/
const inFunction = /in(?: the)? function '?([\w$]+)'?/
const warning = /^\s*(?:ptxas\s+)?warning\s*:?\s*(.*)$/i

/** Registers, spills and warnings per kernel, from ptxas's log. */
export function readAssemblerLog(log: string): AssemblerReport {
  const kernels = new Map<string, Draft>()
  const warnings: string[] = []
  const kernel = (name: string): Draft => {
    const draft = kernels.get(name) ?? {
      name,
      registers: 0,
      spillStoreBytes: 0,
      spillLoadBytes: 0,
      serialized: null,
    }
    kernels.set(name, draft)
    return draft
  }
  let current: Draft | null = null
  for (const line of log.split('\n')) {
    const named = compiling.exec(line) ?? properties.exec(line)
    if (named !== null) current = kernel(named[1]!)
    if (current !== null) readNumbers(line, current)
    if (serialized.test(line)) {
      const guilty = inFunction.exec(line)?.[1]
      const draft = guilty === undefined ? current : kernel(guilty)
      if (draft !== null) draft.serialized = line.trim()
    }
    const text = warning.exec(line)?.[1]
    if (text !== undefined) warnings.push(text)
  }
  return { kernels: [...kernels.values()], warnings }
}

function readNumbers(line: string, kernel: Draft): void {
  const spilled = spills.exec(line)
  if (spilled !== null) {
    kernel.spillStoreBytes = Number(spilled[1])
    kernel.spillLoadBytes = Number(spilled[2])
  }
  const registers = used.exec(line)?.[1]
  if (registers !== undefined) kernel.registers = Number(registers)
}
