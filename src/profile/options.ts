/** Checks options of the functions that measure: names and values. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { checkOptionsObject } from '../base/options.js'

/** What an option's value may be. */
export interface OptionRule {
  /** Completes "give …". */
  readonly wanted: string
  accepts(value: unknown): boolean
}

const numbers = (wanted: string, accepts: (value: number) => boolean): OptionRule => ({
  wanted,
  accepts: value => typeof value === 'number' && accepts(value),
})

export const count = numbers('an integer of at least 1', value => Number.isInteger(value) && value >= 1)
export const positive = numbers('a number above 0', value => value > 0)
export const amount = numbers('a finite number of at least 0', value => value >= 0 && value < Number.POSITIVE_INFINITY)
export const flag: OptionRule = { wanted: 'true or false', accepts: value => typeof value === 'boolean' }
export const anything: OptionRule = { wanted: '', accepts: () => true }
export const oneOf = (values: readonly string[]): OptionRule => ({
  wanted: `one of ${values.join(', ')}`,
  accepts: value => values.includes(value as string),
})

/** Throws ArgumentError for what is no plain object, has an unknown option, or one whose value its rule does not accept. */
export function checkOptions<O extends object>(
  caller: string,
  options: O,
  rules: Readonly<Record<keyof O & string, OptionRule>>,
): void {
  checkOptionsObject(caller, options, Object.keys(rules))
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name as keyof O & string]
    if (value === undefined || rule.accepts(value)) continue
    throw new ArgumentError(`${caller}: ${name} is ${describeAny(value)}`, { fix: `give ${rule.wanted}` })
  }
}
