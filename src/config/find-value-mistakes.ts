import type { ConfigMistake } from './config-error.ts'
import { findSettingRemedy } from './setting-remedies.ts'

/** Finds a text that matches the pattern of a URL but is not one. The text is not repeated: it may contain a password. */
export function findUrlMistakes(path: string, block: unknown, name: string): ConfigMistake[] {
  const url = (block as Record<string, unknown> | null | undefined)?.[name]
  if (typeof url !== 'string' || !url.includes('://') || URL.canParse(url)) return []
  const urlPath = path ? `${path}.${name}` : name
  return [{ path: urlPath, mistake: 'is not a valid URL', remedy: findSettingRemedy(urlPath)! }]
}

export function findTimeZoneMistakes(path: string, timeZone: unknown): ConfigMistake[] {
  if (typeof timeZone !== 'string' || isTimeZone(timeZone)) return []
  return [{ path, mistake: `"${timeZone}" is not a time zone`, remedy: findSettingRemedy('time_zone')! }]
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Finds a code with the shape of a currency that is not one. */
export function findCurrencyMistakes(path: string, currency: unknown): ConfigMistake[] {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency) || currencies.has(currency)) return []
  return [{ path, mistake: `"${currency}" is not a currency`, remedy: findSettingRemedy('currency')! }]
}
