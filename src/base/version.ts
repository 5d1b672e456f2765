/** The version of this package; a test holds it equal to package.json. Part of every cache key. */
export const version = '0.1.0'
