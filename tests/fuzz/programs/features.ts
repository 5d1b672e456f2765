/**
 * The parts of the language that random programs are written in. Each can be turned off (FUZZ_FEATURES=-maps,-reads) or
 * all but some (FUZZ_FEATURES=only,tensors,sizes).
 */
export const features = {
  arrays: 'arrays of tensors as arguments',
  objects: 'plain objects as arguments, also nested, with other keys at some calls',
  keyOrder: 'the keys of an object in another order at some calls',
  classes: 'class instances as arguments: fields, getters, methods with `this`, fields reassigned between calls',
  privateFields: 'class instances with private fields, which are refused',
  guardKeys: 'class instances with private fields that say what they hold',
  maps: 'Maps as arguments',
  sets: 'Sets as arguments',
  typedArrays: 'typed arrays as arguments',
  dates: 'Dates as arguments',
  numbers: 'numbers, booleans and strings as arguments that change between calls',
  optional: 'arguments that are null, undefined or left to their defaults',
  sameTensor: 'one tensor for two arguments',
  closedOver: 'tensors that the function closes over as arguments at some calls',
  sharedMemory: 'arguments that are views of one memory',
  dtypes: 'dtypes other than f32',
  layouts: 'arguments that are transposed, strided, expanded or start in the middle',
  expanded: 'arguments and views whose elements share memory',
  expandedWrites: 'writes into parts of those',
  empty: 'sizes 0 and 1',
  closures: 'tensors and objects that the function closes over',
  reassigned: 'closed-over variables that are assigned between calls (under TEGULA_RECHECK only)',
  inPlace: 'in-place ops on arguments, views and values',
  reads: 'values that are read, and branches on them',
  branches: 'branches on arguments and sizes',
  catches: 'errors of ops that the function catches, to go another way',
  nested: 'calls of another compiled function',
  callbacks: 'functions as arguments, now and then another one',
  rest: 'rest parameters, with more or fewer tensors at some calls',
  sizes: 'sizes read as numbers',
  steady: 'long sequences of calls in which only sizes change, which compile a few times only',
  state: 'assignments to fields, Maps and arrays in the function',
  newKeys: 'fields and entries that the function adds or removes',
  outerState: 'such assignments of tensors to objects that the function closes over, which are refused',
  random: 'random numbers',
  seeds: 'seeds that the function sets',
  kernels: 'kernels launched inside',
  writesBetween: 'writes into results, arguments and closed-over tensors between calls',
  resultsAsArguments: 'results of one call as arguments of the next',
  dispose: 'results that are disposed between calls',
  identity: 'that one tensor returned twice is one tensor, and that what owns memory ends its views',
} as const

export type Feature = keyof typeof features
export const allFeatures = Object.keys(features) as readonly Feature[]

/**
 * Off until the compiler does what they say: programs with them are written when they are asked for. Each says what
 * it finds; a line goes when it finds nothing any more.
 */
export const off: ReadonlySet<Feature> = new Set<Feature>()

/** Features that one program does not have together unless a third is chosen. */
export const apart: readonly (readonly [Feature, Feature, unless: Feature])[] = [
  ['expanded', 'inPlace', 'expandedWrites'],
]

/** The features that programs may use. */
export function chosenFeatures(text = process.env.FUZZ_FEATURES ?? ''): ReadonlySet<Feature> {
  const words = text.split(',').filter(word => word !== '')
  const chosen = new Set(
    words[0] === 'only' ? [] : words[0] === 'all' ? allFeatures : allFeatures.filter(one => !off.has(one)),
  )
  for (const word of words.slice(words[0] === 'only' || words[0] === 'all' ? 1 : 0)) {
    const name = word.replace(/^[-+]/, '')
    if (!allFeatures.includes(name as Feature)) throw new Error(`FUZZ_FEATURES: there is no feature ${name}`)
    if (word.startsWith('-')) chosen.delete(name as Feature)
    else chosen.add(name as Feature)
  }
  return chosen
}

export const printFeatures = (used: ReadonlySet<Feature>): string => [...used].join(', ') || 'tensors only'
