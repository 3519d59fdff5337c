import type { ConfigMistake } from '../config-error.ts'
import { findSettingRemedy } from './find-setting-remedy.ts'

/** Finds a text that matches the pattern of a URL but is not one. The text is not repeated: it may contain a password. */
export function findUrlMistakes(path: string, block: unknown, name: string): ConfigMistake[] {
  const url = (block as Record<string, unknown> | null | undefined)?.[name]
  if (typeof url !== 'string' || !url.includes('://') || URL.canParse(url)) return []
  const urlPath = path ? `${path}.${name}` : name
  return [{ path: urlPath, mistake: 'is not a valid URL', remedy: findSettingRemedy(urlPath)! }]
}
