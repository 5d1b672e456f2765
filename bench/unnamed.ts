/**
 * To be imported first by what times small calls: tsx gives every function its name as it is made, by a call of
 * Object.defineProperty, which the package that users install does not. Eager calls make functions, and took twice as long.
 */
const { defineProperty } = Object

Object.defineProperty = (target, key, attributes) =>
  key === 'name' && typeof target === 'function' ? target : defineProperty(target, key, attributes)
