/** The table of all environment switches. No other file reads `process.env`. */
import { ArgumentError } from './errors.js'

export interface Switch {
  readonly name: string
  readonly meaning: string
}

export const switches = {
  cacheDir: { name: 'TEGULA_CACHE_DIR', meaning: 'folder of the kernel cache (default: ~/.cache/tegula)' },
  cache: { name: 'TEGULA_CACHE', meaning: '"0" turns the disk cache off' },
  cacheLimit: { name: 'TEGULA_CACHE_LIMIT', meaning: 'size of the disk cache, as "500MB" (default: 2GB)' },
  cc: { name: 'TEGULA_CC', meaning: 'the C compiler to use (default: the first of cc, gcc, clang on the PATH)' },
  compileTimeout: {
    name: 'TEGULA_COMPILE_TIMEOUT',
    meaning: 'seconds that one run of the C compiler, or of an assembler thread, may take (default: 300)',
  },
  threads: { name: 'TEGULA_THREADS', meaning: 'threads of the CPU pool, the caller included (default: all cores)' },
  backend: { name: 'TEGULA_BACKEND', meaning: '"native" (default) or "interpreter": run kernels without a compiler' },
  libcuda: { name: 'TEGULA_LIBCUDA', meaning: "NVIDIA's driver library (default: libcuda.so.1, nvcuda.dll)" },
  libcupti: {
    name: 'TEGULA_LIBCUPTI',
    meaning: 'CUPTI, for times of kernels inside CUDA graphs (default: the toolkit\'s libcupti.so); "0": none',
  },
  cudaSync: {
    name: 'TEGULA_CUDA_SYNC',
    meaning: '"1": wait for each kernel on the GPU, so that an error names the kernel that made it',
  },
  cudaCache: {
    name: 'TEGULA_CUDA_CACHE',
    meaning:
      '"0": each tensor on the GPU is an allocation of the driver, so that compute-sanitizer sees its bounds; slow',
  },
  patterns: {
    name: 'TEGULA_PATTERNS',
    meaning: '"0": compiles without pattern rules, which replace hand-written compositions by built-in ops',
  },
  recheck: {
    name: 'TEGULA_RECHECK',
    meaning: '"1": compiled functions re-trace at each call and fail if the graph differs',
  },
  log: { name: 'TEGULA_LOG', meaning: 'topics to log on stderr, as "graph,launch", or "all"; "help" lists them' },
} as const satisfies Record<string, Switch>

/** The value of a switch, or undefined when it is unset or empty. Read at each call, as tests and services change it. */
export function env(name: keyof typeof switches): string | undefined {
  const value = process.env[switches[name].name]
  return value === '' ? undefined : value
}

/** Switches that are on or off, with their defaults. */
const flags = { cache: true, cudaSync: false, cudaCache: true, patterns: true, recheck: false } as const

/** Whether a switch is on. Throws ArgumentError when its value is neither 0 nor 1. */
export function flag(name: keyof typeof flags): boolean {
  const value = env(name)
  if (value === undefined) return flags[name]
  if (value === '0' || value === '1') return value === '1'
  throw new ArgumentError(`${switches[name].name} is ${JSON.stringify(value)}, which is neither 0 nor 1`, {
    fix: `set it to 0 or 1, or unset it for ${flags[name] ? 1 : 0}`,
    at: null,
  })
}

/** Environment variables of the operating system: the search path of programs, and the user's cache folder. */
export type SystemVariable = 'PATH' | 'XDG_CACHE_HOME'

/** The value of a variable of the operating system, or undefined when it is unset or empty. */
export function systemVariable(name: SystemVariable): string | undefined {
  const value = process.env[name]
  return value === '' ? undefined : value
}

/** The environment of a child process: this process's with some switches changed ('' unsets). */
export function childEnvironment(changes: Partial<Record<keyof typeof switches, string>>): NodeJS.ProcessEnv {
  const changed = Object.entries(changes).map(([name, value]) => [switches[name as keyof typeof switches].name, value])
  return { ...process.env, ...Object.fromEntries(changed) }
}
