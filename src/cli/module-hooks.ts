/**
 * Node treats a .ts or .js file as CommonJS unless package.json says otherwise, and `npm init` sets CommonJS. These hooks load
 * a file with ES module syntax (it has imports or exports, and no require) as an ES module anyway, so that it and this
 * command use the same copy of tegula.
 */
import * as nodeModule from 'node:module'

/** Runs in node's loader, so it must be self-contained. The `format` returned by `resolve` decides how a file is loaded. */
const hooks = `
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ambiguous = /^file:(?!.*\\/node_modules\\/).*\\.(?:js|ts)(?:\\?.*)?$/
const esm = /^\\s*(?:import\\s*(?:[\\w{*'"]|type\\s)|export\\s+(?:default|const|let|var|function|async|class|type|interface|enum|abstract|[{*]))/m
const commonJs = /\\brequire\\s*\\(|\\bmodule\\.exports\\b|^\\s*exports\\.\\w/m

function isWrittenAsModule(url) {
  try {
    const text = readFileSync(fileURLToPath(url.split('?')[0]), 'utf8')
    return esm.test(text) && !commonJs.test(text)
  } catch {
    return false
  }
}

export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context)
  if (found.format === 'module' || !ambiguous.test(found.url) || !isWrittenAsModule(found.url)) return found
  return { ...found, format: 'module' }
}

export async function load(url, context, nextLoad) {
  if (context.format === 'module' || !ambiguous.test(url) || !isWrittenAsModule(url)) return nextLoad(url, context)
  return nextLoad(url, { ...context, format: 'module' })
}
`

let isRegistered = false

/** Makes such files load as ES modules from now on. Does nothing on a Node (before 20.6) without loader hooks. */
export function loadAsWritten(): void {
  const { register } = nodeModule as { register?: (specifier: string) => void }
  if (isRegistered || register === undefined) return
  isRegistered = true
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}
