/** Every training that training-start.ts can run, by the name of its case. */
import type { Tensor } from 'tegula'
import { type GptTraining, gptTraining, gptTrainings } from './training-gpt.js'

export interface StartableTraining {
  readonly inputs: readonly Tensor[]
  readonly step: (...inputs: readonly Tensor[]) => Tensor
}

const makers: Readonly<Record<string, () => StartableTraining>> = Object.fromEntries(
  gptTrainings.map((name: GptTraining) => [name, () => gptTraining(name)]),
)

/** Makes it on the default device. */
export function trainingOf(name: string): StartableTraining {
  const make = makers[name]
  if (make === undefined) throw new Error(`no training '${name}': one of ${Object.keys(makers).join(', ')}`)
  return make()
}
