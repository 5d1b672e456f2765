/** Readable, unique C identifiers. Scopes nest as C's blocks do, and no name shadows another. */

const reserved = new Set(
  `auto break case char const continue default do double else enum extern float for goto if inline int long register
  restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof bool true
  false args grid first last scratch program main f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 tg_arg NAN INFINITY
  exp log sin cos tan abs min max floor ceil trunc round pow sqrt y0 y1 yn j0 j1 jn gamma signgam index stdin stdout
  stderr errno linux unix I`.split(/\s+/),
)

/** C library functions known to compilers: a function of the same name with other parameters would clash. */
const library = new Set(
  `acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 expm1 fabs fdim floor fma
  fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf
  nan nearbyint nextafter pow pow10 remainder remquo rint round roundeven scalb scalbln scalbn signbit significand sin
  sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn drem finite isinf isnan isfinite isnormal`.split(/\s+/),
)
const libraryOther =
  /^(_.*|mem\w+|str\w*|\w*printf|\w*scanf|\w*alloc|free|\w*put(s|c|char)|is(al|asc|bl|cn|di|gr|lo|pr|pu|sp|up|xd|w)\w*|to(lower|upper|ascii)|b(cmp|copy|zero)|r?index|l?l?abs|imaxabs|ffsl?l?|abort|_?exit|main|fork|exec\w+|dc?gettext|gettext|alloca|swab|c(abs|arg|proj|conj|real|imag|exp|log|pow|sqrt|sin|cos|tan|asin|acos|atan)\w*)$/

/** The symbol of a kernel: its name, with `_kernel` appended when the name is taken by C or the prelude. */
export function kernelSymbol(name: string, isPiece: (name: string) => boolean): string {
  const taken =
    reserved.has(name) ||
    library.has(name) ||
    library.has(name.slice(0, -1)) ||
    libraryOther.test(name) ||
    isPiece(name)
  return taken ? `${name}_kernel` : name
}

export class Names {
  readonly #scopes: Set<string>[] = [new Set()]

  /** A name derived from `base` that is not in any open scope; added to the innermost one. */
  fresh(base: string): string {
    const clean = identifier(base)
    let name = clean
    for (let n = 2; this.#taken(name); n++) name = `${clean}_${n}`
    this.#scopes.at(-1)!.add(name)
    return name
  }

  /** A name for a loop counter: i, j, k, … */
  counter(): string {
    const free = [...'ijklmnpqrst'].find(letter => !this.#taken(letter))
    return this.fresh(free ?? 'i')
  }

  within<R>(body: () => R): R {
    this.#scopes.push(new Set())
    try {
      return body()
    } finally {
      this.#scopes.pop()
    }
  }

  #taken(name: string): boolean {
    return reserved.has(name) || this.#scopes.some(scope => scope.has(name))
  }
}

/** `name` as a C identifier: other characters become `_`, and the result never looks like a prelude piece (add_f32x16). */
export function identifier(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_]+/g, '_')
  const started = /^[A-Za-z]/.test(clean) ? clean : `v${clean.startsWith('_') ? '' : '_'}${clean}`
  return /(^|_)(f64|f32|f16|bf16|[iu](64|32|16|8)|b32)(x\d+)?$/.test(started) ? `${started}_` : started
}
