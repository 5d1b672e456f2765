/** The module in whose call the program is, by its path below the outermost one: for captured ops and for profiles. */

/** What a path is made of. */
interface PathModule {
  readonly constructor: { readonly name: string }
  namedModules(): [name: string, module: object][]
}

/** A module whose `forward` runs. */
interface Frame {
  readonly path: string
  readonly outermost: PathModule
}

const frames: Frame[] = []
/** Names of the modules below an outermost one, as they were at its first call. */
const namesBelow = new WeakMap<PathModule, ReadonlyMap<object, string>>()

/** `Net.layers.0` within the call of that module by one of class Net, '' outside of all calls. Kept where a function is captured or profiled. */
export const modulePath = (): string => frames.at(-1)?.path ?? ''

/** Runs `body`, which gets the module's path, as within the call of `module`. */
export function withinModule<R>(module: PathModule, body: (path: string) => R): R {
  const outer = frames.at(-1)
  const path = outer === undefined ? classOf(module) : pathBelow(outer, module)
  const frame = { path, outermost: outer?.outermost ?? module }
  frames.push(frame)
  try {
    return body(path)
  } finally {
    frames.splice(frames.lastIndexOf(frame), 1)
  }
}

const classOf = (module: PathModule): string => module.constructor.name || 'Module'

/** By the fields of the outermost module, else, for one that it does not hold, by its class. */
function pathBelow({ outermost, path }: Frame, module: PathModule): string {
  let names = namesBelow.get(outermost)
  if (names?.has(module) !== true) {
    names = new Map(outermost.namedModules().map(([name, each]) => [each, name]))
    namesBelow.set(outermost, names)
  }
  const name = names.get(module)
  return name === undefined
    ? `${path}.${classOf(module)}`
    : [classOf(outermost), name].filter(part => part !== '').join('.')
}
