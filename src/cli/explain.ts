/** `tegula explain FILE`: explains how a module's function is compiled. */
import { CompilerError } from '../base/errors.js'
import { describeTree } from '../compile/capture/tree.js'
import { compile } from '../compile/compile.js'
import { backend } from '../compile/execute/runner.js'
import type { Explanation, SegmentExplanation } from '../compile/explain/explanation.js'
import { deviceOf, limitsOfDevice } from '../profile/device-limits.js'
import type { Tensor } from '../tensor/tensor.js'
import type { Progress, Report } from './output.js'
import { loadUserModule, withNames } from './user-module.js'

export interface ExplainOptions {
  readonly code: boolean
  readonly graph: boolean
  /** Measure the machine, and compare each kernel with its limits. */
  readonly limits: boolean
  /** File that the report is written to, as a page. */
  readonly html?: string
  readonly device?: string
  /** For modules that export cases: parts of the names of the case and the variant; '': the first. */
  readonly case: string
  readonly variant: string
}

/** Few samples suffice to tell memory-bound from compute-bound kernels. */
const limitRuns = 3

/**
 * Compiles the function of the module at `path` for its example inputs, and reports what the compiler did. Throws UsageError
 * (see `loadUserModule`), CaptureError, CompilerError, and errors of the function.
 */
export async function explain(path: string, options: ExplainOptions, progress: Progress): Promise<Report> {
  const module = await loadUserModule(path, { device: options.device })
  const { moreInputs, file } = module
  const chosen = withNames(module.cases, options.case, 'case')[0]!
  const { name, fn } = withNames(chosen.variants, options.variant, 'variant')[0]!
  const compileOptions = module.options(name || chosen.name)
  const inputs = await chosen.inputs()
  const compiled = compile(fn, compileOptions)
  const call = compiled as (...args: readonly never[]) => unknown
  if (moreInputs.length > 0) {
    progress('running the example inputs')
    for (const args of [inputs, ...moreInputs]) call(...args)
  }
  progress(compileOptions.mode === 'max-autotune' ? 'compiling and measuring choices of block sizes' : 'compiling')
  const leaves: Tensor[] = []
  describeTree(inputs, leaves, 'inputs')
  const explanation = judge(compiled.explain(...inputs), leaves, options.limits, progress)
  if (options.html !== undefined) explanation.toHtml(options.html)
  return {
    data: { file, ...dataOf(explanation, options) },
    text:
      options.html === undefined
        ? explanation.toText({ graphs: options.graph ? 'both' : 'none', code: options.code })
        : `report: ${options.html}`,
  }
}

/** The explanation beside the limits of the device of `leaves`, unless there are none to measure. */
export function judge(
  explanation: Explanation,
  leaves: readonly Tensor[],
  limits: boolean,
  progress: Progress,
): Explanation {
  if (!limits || backend() === 'interpreter') return explanation
  const device = deviceOf(leaves)
  progress(`measuring ${device === 'cpu' ? 'the CPU' : device}`)
  try {
    return explanation.against(limitsOfDevice(device, limitRuns))
  } catch (error) {
    if (!(error instanceof CompilerError)) throw error
    process.stderr.write(`not measured: ${error.message}\n`)
    return explanation
  }
}

/** The explanation without its methods, and with graphs and code only if requested. */
function dataOf(
  { name, advice, opCount, segments, guards, breaks, recompiles, limits }: Explanation,
  options: ExplainOptions,
) {
  return {
    name,
    advice,
    opCount,
    guards,
    breaks,
    recompiles,
    limits,
    segments: segments.map(each => segmentData(each, options)),
  }
}

function segmentData(segment: SegmentExplanation, { code, graph }: ExplainOptions): Partial<SegmentExplanation> {
  const { code: source, graph: captured, optimised, ops, ...rest } = segment
  return { ...rest, ...(graph ? { graph: captured, optimised, ops } : {}), ...(code ? { code: source } : {}) }
}
