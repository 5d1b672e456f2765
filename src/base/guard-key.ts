/**
 * An object with hidden state (private fields, closures) reports its state to `compile` by a method under this symbol. As an
 * argument of a compiled function the object is then guarded by identity and by what the method returns: numbers, strings,
 * arrays and plain objects of them, compared at each call.
 *
 * @example
 * class Scaler {
 *   #factor = 2;
 *   [guardKey]() { return this.#factor }     // a changed factor compiles again
 * }
 */
export const guardKey: unique symbol = Symbol.for('tegula.guard') as never

/** An object that `compile` guards by identity and by the state that its method returns. */
export interface Guarded {
  [guardKey](): unknown
}

export const isGuarded = (value: object): value is Guarded =>
  guardKey in value && typeof (value as Partial<Guarded>)[guardKey] === 'function'
