/**
 * The key of node's custom inspection. It is the registered symbol, not `inspect.custom`: the package's types must not
 * need node's.
 */
export const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never
