#!/usr/bin/env node
/** The command `tegula`. */
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './command-line.js'
import { endWith, listenQuietly } from './process-end.js'

listenQuietly()
endWith(await runCommandLine(process.argv.slice(2), fileURLToPath(import.meta.url)))
