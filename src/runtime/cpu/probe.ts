/** Queries this CPU: its identity (part of cache keys) and its facts. Spawns nothing. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Facts about a CPU that need no compiler. Sizes in bytes, 0 when unknown. */
export interface CpuFacts {
  readonly arch: string
  readonly model: string
  readonly cores: number
  readonly features: readonly string[]
  readonly l1Bytes: number
  readonly l2Bytes: number
  readonly l3Bytes: number
}

/** Enough of /proc/cpuinfo for the first processor; reading all of it takes milliseconds on large machines. */
const firstProcessorBytes = 8192
const cacheFolder = '/sys/devices/system/cpu/cpu0/cache'

/** Facts of this CPU; `features` are what the compiler may use, as it names them. */
export function probeCpu(features: readonly string[]): CpuFacts {
  const caches = cacheSizes()
  const { model } = cpuIdentity()
  return { arch: process.arch, model, cores: availableParallelism(), features, ...caches }
}

export interface CpuIdentity {
  readonly model: string
  /** The system's list of instruction sets; native code for one list may not run on another. */
  readonly flags: string
}

export function cpuIdentity(): CpuIdentity {
  const info = process.platform === 'linux' ? firstProcessor() : ''
  const field = (name: string) => new RegExp(`^${name}\\s*:\\s*(.*)$`, 'mi').exec(info)?.[1]?.trim()
  const parts = ['CPU implementer', 'CPU part', 'CPU variant'].map(field).filter(part => part !== undefined)
  const model = field('model name') ?? (parts.join(' ') || (cpus()[0]?.model ?? 'unknown'))
  return { model, flags: field('flags') ?? field('features') ?? '' }
}

/** The first processor's lines of /proc/cpuinfo; '' where there are none. */
function firstProcessor(): string {
  try {
    const file = openSync('/proc/cpuinfo', 'r')
    try {
      const buffer = Buffer.alloc(firstProcessorBytes)
      const bytes = readSync(file, buffer, 0, firstProcessorBytes, 0)
      return buffer.toString('latin1', 0, bytes).split('\n\n')[0] ?? ''
    } finally {
      closeSync(file)
    }
  } catch {
    return '' // no /proc here: node's own list names the model
  }
}

function cacheSizes(): Pick<CpuFacts, 'l1Bytes' | 'l2Bytes' | 'l3Bytes'> {
  const sizes = { l1Bytes: 0, l2Bytes: 0, l3Bytes: 0 }
  for (const { level, bytes } of dataCaches()) {
    if (level === 1) sizes.l1Bytes = bytes
    else if (level === 2) sizes.l2Bytes = bytes
    else if (level === 3) sizes.l3Bytes = bytes
  }
  return sizes
}

/** The level and size of each data cache, as Linux reports them. */
function dataCaches(): { level: number; bytes: number }[] {
  try {
    return readdirSync(cacheFolder)
      .filter(name => name.startsWith('index'))
      .map(name => {
        const read = (field: string) => readFileSync(`${cacheFolder}/${name}/${field}`, 'latin1').trim()
        return { kind: read('type'), level: Number(read('level')), bytes: parseSize(read('size')) }
      })
      .filter(cache => cache.kind !== 'Instruction')
  } catch {
    return [] // the sizes stay unknown; whoever needs them assumes cautious ones
  }
}

/** '48K' → 49152. */
function parseSize(text: string): number {
  const match = /^(\d+)([KMG]?)$/.exec(text)
  if (match === null) return 0
  return Number(match[1]) * { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[(match[2] ?? '') as '' | 'K' | 'M' | 'G']
}
