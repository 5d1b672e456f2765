/** `tegula doctor` without a file: what this machine has, what will be used of it, and what is wrong. */
import { rmSync } from 'node:fs'
import { env, flag } from '../base/env.js'
import { TegulaError } from '../base/errors.js'
import { formatBytes, plural } from '../base/units.js'
import { version } from '../base/version.js'
import { defaultCache, defaultCacheFolder } from '../cache/disk-cache.js'
import { cacheLimitBytes } from '../cache/size-limit.js'
import { backend } from '../compile/execute/runner.js'
import { alignedText } from '../profile/table.js'
import { type CpuReport, describeCpu, findGpus } from './devices.js'
import type { Report } from './output.js'

/** One thing that was checked. */
interface Check {
  readonly name: string
  /** note: nothing is wrong, but it is not what everyone would expect. */
  readonly status: 'ok' | 'note' | 'problem'
  /** What was found, or what is wrong. */
  readonly text: string
  /** What to do; null: nothing. */
  readonly fix: string | null
}

const oldestNode = 20
/** Of the cache's limit: beyond it entries are evicted soon. */
const fullShare = 0.9

/** Exit code 1 if something is wrong. Measures nothing. */
export function checkMachine(): Report {
  const checks = [
    ...safely('cpu', cpuChecks),
    ...safely('gpu', gpuChecks),
    ...safely('cache', cacheChecks),
    nodeCheck(),
  ]
  const problems = checks.filter(({ status }) => status === 'problem')
  const title =
    problems.length === 0 ? `tegula ${version}: ready` : `tegula ${version}: ${plural(problems.length, 'problem')}`
  const rows = checks.flatMap(({ name, status, text, fix }) => [
    [name, status === 'problem' ? `PROBLEM: ${text}` : text],
    ...(fix === null ? [] : [['', `fix: ${fix}`]]),
  ])
  return {
    data: { version, checks },
    text: `${title}\n\n${alignedText(rows)}`,
    exitCode: problems.length === 0 ? 0 : 1,
  }
}

/** The checks of one part; an error of ours is a problem with its fix. */
function safely(name: string, checks: () => readonly Check[]): readonly Check[] {
  try {
    return checks()
  } catch (error) {
    if (error instanceof TegulaError) return [{ name, status: 'problem', text: error.what, fix: error.fix }]
    throw error
  }
}

function cpuChecks(): Check[] {
  const cpu = describeCpu(false, () => {})
  const { model, vectorBits, fma, features, cores, threads } = cpu
  const units = [`${vectorBits}-bit vectors`, ...(fma ? ['FMA'] : [])].join(', ')
  return [
    { name: 'cpu', status: 'ok', text: `${model}: ${units}`, fix: null },
    { name: 'features', status: 'ok', text: features.join(', ') || 'none that code is generated for', fix: null },
    {
      name: 'threads',
      status: threads < cores ? 'note' : 'ok',
      text: `${threads} of ${plural(cores, 'core')}${env('threads') === undefined ? '' : ' (TEGULA_THREADS)'}`,
      fix: threads < cores && env('threads') !== undefined ? 'unset TEGULA_THREADS to use all cores' : null,
    },
    compilerCheck(cpu),
  ]
}

function compilerCheck({ compiler, problem }: CpuReport): Check {
  const name = 'compiler'
  if (compiler !== null && backend() === 'interpreter')
    return {
      name,
      status: 'note',
      text: `${compiler.program} (${compiler.version}) is not used: TEGULA_BACKEND is interpreter`,
      fix: 'unset TEGULA_BACKEND: the interpreter is slower by orders of magnitude',
    }
  if (compiler !== null) return { name, status: 'ok', text: `${compiler.program} (${compiler.version})`, fix: null }
  return {
    name,
    status: 'problem',
    text: problem?.split('  fix: ')[0] ?? 'none was found',
    fix: problem?.split('  fix: ')[1] ?? 'install gcc or clang',
  }
}

/** A machine without a GPU is in order; a GPU that cannot be used is not. */
function gpuChecks(): Check[] {
  const { gpus, problem } = findGpus(false, () => {})
  if (gpus.length === 0) {
    const asked = env('libcuda') !== undefined
    return [
      {
        name: 'gpu',
        status: asked ? 'problem' : 'note',
        text: `none is used: ${problem ?? 'the driver lists none'}`,
        fix: asked ? 'unset TEGULA_LIBCUDA, or set it to the library of the NVIDIA driver' : null,
      },
    ]
  }
  return gpus.map((gpu): Check => {
    const why = gpu.problem
    if (why !== null || !('model' in gpu))
      return {
        name: gpu.device,
        status: 'problem',
        text: why ?? '',
        fix: 'update the NVIDIA driver, or hide the GPU with CUDA_VISIBLE_DEVICES',
      }
    const { model, architecture, driver, memory } = gpu
    const text = `${model}, ${formatBytes(memory.free)} free; driver for CUDA ${driver}, whose assembler makes ${architecture} code: no ptxas is needed`
    return { name: gpu.device, status: 'ok', text, fix: null }
  })
}

function cacheChecks(): Check[] {
  const name = 'cache'
  if (!flag('cache'))
    return [{ name, status: 'note', text: 'off (TEGULA_CACHE=0): each start compiles', fix: 'unset TEGULA_CACHE' }]
  const limit = cacheLimitBytes()
  const cache = defaultCache()
  const entries = cache.entries()
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  rmSync(cache.createWorkFolder(), { recursive: true, force: true }) // leaves the folder if nothing can be written there
  if (!cache.persistent)
    return [
      {
        name,
        status: 'problem',
        text: `${defaultCacheFolder()} cannot be written: nothing compiled outlives its process`,
        fix: 'make it writable, or set TEGULA_CACHE_DIR to a folder that is',
      },
    ]
  const isFull = bytes > fullShare * limit
  return [
    {
      name,
      status: isFull ? 'note' : 'ok',
      text: `${cache.folder}: ${plural(entries.length, 'file')}, ${formatBytes(bytes)} of ${formatBytes(limit)}`,
      fix: isFull ? 'raise TEGULA_CACHE_LIMIT, or run tegula cache clear' : null,
    },
  ]
}

function nodeCheck(): Check {
  const [major = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < oldestNode
  return {
    name: 'node',
    status: isOld ? 'problem' : 'ok',
    text: `${process.version}, ${process.platform} ${process.arch}`,
    fix: isOld ? `install Node ${oldestNode} or later` : null,
  }
}
