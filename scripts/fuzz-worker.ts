/** A worker of `npm run fuzz`: checks the seeds that it receives, and shrinks the first program of each kind of difference. */
import { setDefaultDevice } from '../src/index.js'
import { checkSeed, printFinding, shrunk } from '../tests/fuzz/programs/check.js'
import { testDevice } from '../tests/support/tensors.js'
import type { WorkerMessage } from './fuzz.js'

const shown = new Set<string>()
const say = (message: WorkerMessage): void => void process.send!(message)

function check(seed: number): WorkerMessage {
  try {
    const { findings, runs, refusals, features } = checkSeed(seed)
    const described = findings.map(finding => {
      const { group } = finding
      const isKnown = shown.has(group)
      shown.add(group)
      return { group, text: isKnown ? '' : printFinding(shrunk(finding)) }
    })
    return { kind: 'end', seed, runs, refusals, features: [...features], findings: described }
  } catch (error) {
    const text = (error as Error).stack ?? String(error)
    const findings = [{ group: 'the fuzzer itself failed', text: `seed ${seed}: ${text}` }]
    return { kind: 'end', seed, runs: 0, refusals: [], features: [], findings }
  }
}

setDefaultDevice(testDevice)
process.on('message', ({ seed }: { readonly seed: number }) => {
  say({ kind: 'begin', seed })
  say(check(seed))
})
