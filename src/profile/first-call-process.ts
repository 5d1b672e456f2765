/** The child process of `firstCalls`: imports the module, prepares the call, and times it. */
import { ArgumentError } from '../base/errors.js'
import { sendFirstCall } from './first-calls.js'

const { url, name, args } = JSON.parse(process.argv[2]!) as { url: string; name: string; args: readonly unknown[] }
const prepare = ((await import(url)) as Readonly<Record<string, unknown>>)[name]
const call: unknown = typeof prepare === 'function' ? await prepare(...args) : undefined
if (typeof call !== 'function')
  throw new ArgumentError(`firstCalls: ${name} of ${url} is no exported function that returns a call`, {
    at: null,
    fix: `export const ${name} = () => { const f = compile(step); return () => f(x) }`,
  })
await sendFirstCall(call as () => unknown)
