/**
 * Facts about the C compiler, and its flags. Its version and the instruction sets it may use are queried once and cached on
 * disk under the program's size and modification time: a warm process starts no compiler at all.
 */

import { contentHash } from '../../base/canonical.js'
import { CompilerError } from '../../base/errors.js'
import { version } from '../../base/version.js'
import type { DiskCache } from '../../cache/disk-cache.js'
import { compileSeconds, timeoutFix } from '../time-limit.js'
import { type CompilerProgram, findCompiler, installHint } from './find-compiler.js'
import { cpuIdentity } from './probe.js'
import { describeFailure, type Work } from './process.js'

export interface Compiler {
  readonly program: CompilerProgram
  /** The first line of `--version`. */
  readonly version: string
  /** Predefined macros of instruction sets, without underscores: 'AVX512F', 'FMA', … */
  readonly features: readonly string[]
  /** For compiling; with them, `linkFlags` and the libraries make a shared object. */
  readonly flags: readonly string[]
  readonly linkFlags: readonly string[]
  /** Hash of all that a compiled file depends on besides its source. */
  readonly identity: string
}

/** The cached facts. */
interface Answers {
  readonly version: string
  readonly features: readonly string[]
  readonly nativeFlags: readonly string[]
  /** Which passes of the compiler run. */
  readonly passFlags: readonly string[]
}

/** Describes the compiler of the current environment. Throws CompilerError when there is none or it does not run. */
export function* describeCompiler(cache: DiskCache): Work<Compiler> {
  const program = findCompiler()
  const cpu = cpuIdentity()
  const machine = [process.platform, process.arch, cpu.model, cpu.flags]
  const key = contentHash(['compiler and its passes', version, program.stamp, ...machine])
  const known = cache.get(key)
  const answers = known !== null ? (JSON.parse(Buffer.from(known).toString('utf8')) as Answers) : yield* ask(program)
  if (known === null) cache.put(key, Buffer.from(JSON.stringify(answers)))
  const flags = [...commonFlags, ...answers.passFlags, ...answers.nativeFlags]
  const identity = contentHash([version, program.stamp, answers.version, ...flags, ...linkFlags, ...machine])
  return { program, version: answers.version, features: answers.features, flags, linkFlags, identity }
}

/** Queries take milliseconds. */
const askingSeconds = 60

/** Asks a compiler for its version, and for the macros that it defines for this CPU. Throws CompilerError. */
function* ask(program: CompilerProgram): Work<Answers> {
  const seconds = Math.min(askingSeconds, compileSeconds())
  const outcome = yield { file: program.file, args: [...program.args, '--version'], seconds }
  if (outcome.status !== 0) {
    const why = outcome.failure === null ? `exit status ${outcome.status}` : describeFailure(outcome.failure)
    const slow = outcome.failure?.kind === 'too slow' ? `${timeoutFix}; ` : ''
    throw new CompilerError(
      `the C compiler ${program.file} does not run (${why}) as ${program.file} --version: ${firstLines(outcome.stderr, 3)}`,
      { fix: `${slow}${installHint()}`, at: null },
    )
  }
  for (const nativeFlags of nativeFlagChoices()) {
    const macros = yield {
      file: program.file,
      args: [...program.args, ...nativeFlags, '-dM', '-E', '-x', 'c', '/dev/null'],
      seconds,
    }
    // A program without output is no compiler, whatever its exit status, and is not cached.
    if (macros.status === 0 && macros.stdout.includes('#define __STDC__')) {
      return {
        version: outcome.stdout.split('\n', 1)[0]?.trim() ?? '',
        features: featuresOf(macros.stdout),
        nativeFlags,
        passFlags: macros.stdout.includes('#define __clang__') ? clangPasses : gccPasses,
      }
    }
  }
  throw new CompilerError(`${program.file} is no C compiler that Tegula can use: it lists no macros (-dM -E -x c)`, {
    fix: 'set TEGULA_CC to gcc or clang',
  })
}

/** Flags that allow all instructions of this machine, the best first. */
function nativeFlagChoices(): string[][] {
  return process.arch === 'arm64' ? [['-mcpu=native'], ['-march=native'], []] : [['-march=native'], []]
}

const featurePattern = /^#define __((?:AVX|FMA|F16C|SSE|ARM_FEATURE_|ARM_NEON)\w*?)(?:__)? (?!0$)/gm

function featuresOf(macros: string): string[] {
  return [...macros.matchAll(featurePattern)].map(match => match[1] ?? '').sort()
}

/**
 * Each flag is a promise about generated code. There is no -ffast-math: NaN, infinities and -0 follow IEEE 754, and sums
 * keep the order of the code.
 */
const commonFlags: readonly string[] = [
  '-std=gnu11', // vector extensions, atomics
  '-ffp-contract=fast', // a*b+c as one fused multiply-add: rounded once instead of twice
  '-fno-math-errno', // sqrt and friends as instructions; nobody reads errno
  '-fno-trapping-math', // selects may evaluate both sides; nobody reads the floating-point exception flags
  '-fwrapv', // integer overflow wraps, as tensors promise, instead of being undefined
  // Our vectors are explicit; gcc 12's vectoriser miscompiles (i64)(x != 0), lane by lane, to -1 without AVX-512.
  '-fno-tree-slp-vectorize',
  '-fno-strict-aliasing', // bitcasts and byte-packed buffers go through pointers of other types
  '-fPIC',
  '-w', // warnings about generated code help no user; our tests compile with -Wall
]

/**
 * Our code is vectorised, unrolled and scheduled already: what gcc's higher levels add takes two to four times as long, and
 * gains nothing.
 */
const gccPasses: readonly string[] = [
  '-O1',
  '-fexpensive-optimizations', // includes the pass that fuses a*b+c
  '-fno-tree-bit-ccp', // known bits of integers: a tenth of the time, for nothing
]
const clangPasses: readonly string[] = ['-O3']

const linkFlags: readonly string[] =
  process.platform !== 'linux'
    ? ['-shared']
    : [
        '-shared',
        '-Wl,-Bsymbolic', // calls inside a library stay inside: node exports thousands of names that ours could meet
        '-Wl,-z,defs', // an undefined symbol fails the build, not the load
        '-Wl,-z,now',
      ]

const lineLimit = 500

/** At most `count` lines, each truncated, joined for an error message. */
export function firstLines(text: string, count: number): string {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const more = lines.length > count ? ` … (${lines.length - count} more lines)` : ''
  const shown = lines.slice(0, count).map(line => (line.length > lineLimit ? `${line.slice(0, lineLimit)}…` : line))
  return `${shown.join('\n')}${more}`
}
