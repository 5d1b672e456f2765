/** What the plain evaluator throws: the mistakes of a program, and what makes a program unfit for comparing. */

/** The program's result is not determined exactly enough (or not at all) to be compared; generators drop it. */
export class Unfit extends Error {
  /** How many there were: a program may catch them. */
  static count = 0

  constructor(message: string) {
    super(message)
    Unfit.count++
  }
}

/** A mistake of the program, under the name that Tegula's error has. */
export class PlainError extends Error {
  constructor(name: 'ShapeError' | 'DtypeError' | 'ArgumentError' | 'DisposedError', message: string) {
    super(message)
    this.name = name
  }
}

/** Throws ArgumentError unless all are integers. */
export function requireIntegers(name: string, ...values: readonly unknown[]): void {
  for (const value of values) {
    if (!Number.isInteger(value)) throw new PlainError('ArgumentError', `${name}: ${String(value)} is no integer`)
  }
}
