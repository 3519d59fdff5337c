import type { ConfigMistake } from '../config-error.ts'
import { findSettingRemedy } from './find-setting-remedy.ts'

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
