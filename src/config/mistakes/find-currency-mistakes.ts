import type { ConfigMistake } from '../config-error.ts'
import { findSettingRemedy } from './find-setting-remedy.ts'

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Finds a code with the shape of a currency that is not one. */
export function findCurrencyMistakes(path: string, currency: unknown): ConfigMistake[] {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency) || currencies.has(currency)) return []
  return [{ path, mistake: `"${currency}" is not a currency`, remedy: findSettingRemedy('currency')! }]
}
