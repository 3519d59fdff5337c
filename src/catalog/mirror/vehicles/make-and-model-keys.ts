import { normalizeNumber } from '../../../ports/normalize-number.ts'
import { foldText, toYearWord } from '../../search/words/tokenizer.ts'

/** The keys of a vehicle's make and model. */
export interface MakeAndModelKeys {
  make_key: string
  model_key: string
}

/** Makes and models are compared without spaces and punctuation: "CR-V" is "crv". */
export const toMakeOrModelKey = (name: string): string => normalizeNumber(foldText(name)).toLowerCase()

/** Returns the index words of a vehicle: those of its make and model, and that of its year. Many vehicles share each list. */
export const toVehicleNameWords = ({ make_key, model_key, year }: MakeAndModelKeys & { year: number }): string[][] => [
  [`make:${make_key}`, `model:${model_key}`],
  [toYearWord(year)],
]
