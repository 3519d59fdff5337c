import { normalizeNumber } from '../../../ports/reference.ts'
import { foldText } from '../../search/words/tokenizer.ts'

/** The keys of a vehicle's make and model. */
export interface MakeAndModelKeys {
  make_key: string
  model_key: string
}

/** Makes and models are compared without spaces and punctuation: "CR-V" is "crv". */
export const toMakeOrModelKey = (name: string): string => normalizeNumber(foldText(name)).toLowerCase()

/** Returns the index words of a vehicle's make and model. */
export const toMakeAndModelWords = ({ make_key, model_key }: MakeAndModelKeys): string[] => [
  `make:${make_key}`,
  `model:${model_key}`,
]
