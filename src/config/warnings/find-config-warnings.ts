import type { ConfigMistake } from '../config-error.ts'
import { sortByPosition } from '../mistakes/sort-by-position.ts'
import type { ParsedConfigFile } from '../parse-config-file.ts'
import { findCertificateWarnings } from './find-certificate-warnings.ts'
import { findClearSecretWarnings } from './find-clear-secret-warnings.ts'
import { findFolderWarnings } from './find-folder-warnings.ts'
import { findMirrorWarnings } from './find-mirror-warnings.ts'
import { findMissingSystemWarnings } from './find-missing-system-warnings.ts'
import { findPlainHttpWarnings } from './find-plain-http-warnings.ts'
import { findUnsentEmailWarnings } from './find-unsent-email-warnings.ts'

/** Lists settings that are valid but do not work, are not safe, or name a path that this account cannot write to. */
export function findConfigWarnings(parsed: ParsedConfigFile, now = Date.now()): ConfigMistake[] {
  const { file, config, variablePaths, positionOf } = parsed
  const warnings = [
    ...config.merchants.flatMap(findMissingSystemWarnings),
    ...config.merchants.flatMap((merchant) => findUnsentEmailWarnings(merchant, config)),
    ...findMirrorWarnings(config),
    ...findClearSecretWarnings(file, variablePaths),
    ...findPlainHttpWarnings(file),
    ...findFolderWarnings(file, config),
    ...findCertificateWarnings(config.listen.tls, now),
  ]
  return sortByPosition(withoutRepetitions(warnings, positionOf), positionOf)
}

/** Removes repeated warnings about the same position in the file, to which several aliases may refer. */
function withoutRepetitions(
  warnings: readonly ConfigMistake[],
  positionOf: ParsedConfigFile['positionOf'],
): ConfigMistake[] {
  const seen = new Set<string>()
  return warnings.filter(({ path, mistake }) => {
    const { line, offset } = positionOf(path)
    const key = `${line === undefined ? path : offset} ${mistake}`
    return !seen.has(key) && seen.add(key)
  })
}
