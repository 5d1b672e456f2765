#!/usr/bin/env node
/** The command `tegula`. */
import { fileURLToPath } from 'node:url'
import { runCommandLine } from './command-line.js'

process.exitCode = await runCommandLine(process.argv.slice(2), fileURLToPath(import.meta.url))
