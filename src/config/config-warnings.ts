import type { Config, MerchantConfig, SystemsConfig } from './config.ts'
import type { ConfigMistake } from './config-error.ts'
import { findCertificateWarnings } from './find-certificate-warnings.ts'
import { findClearSecretWarnings } from './find-clear-secret-warnings.ts'
import { findFolderWarnings } from './find-folder-warnings.ts'
import { findMirrorWarnings } from './find-mirror-warnings.ts'
import { findPlainHttpWarnings } from './find-plain-http-warnings.ts'
import type { ParsedConfigFile } from './read-config.ts'
import { sortByPosition } from './sort-by-position.ts'

/** Lists settings that are valid but do not work, are not safe, or name a path that this account cannot write to. */
export function findConfigWarnings(parsed: ParsedConfigFile, now = Date.now()): ConfigMistake[] {
  const { file, config, variablePaths, positionOf } = parsed
  const warnings = [
    ...config.merchants.flatMap(findMissingSystems),
    ...config.merchants.flatMap((merchant) => findMailWarnings(merchant, config)),
    ...findMirrorWarnings(config),
    ...findClearSecretWarnings(file, variablePaths),
    ...findPlainHttpWarnings(file),
    ...findFolderWarnings(file, config),
    ...findCertificateWarnings(config.listen.tls, now),
  ]
  return sortByPosition(withoutRepetitions(warnings, positionOf), positionOf)
}

/** Removes repeated warnings about a place of the file that an alias refers to. */
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

const consequences = {
  inventory: 'there are no products',
  pricing: 'products have no prices, and nobody can check out',
  accounting: 'shoppers cannot register, sign in or check out',
} as const

function findMissingSystems({ merchant, live, sandbox }: MerchantConfig): ConfigMistake[] {
  const find = (systems: SystemsConfig | null, path: string): ConfigMistake[] => {
    // A block without any system is meant to be empty.
    if (!systems || Object.keys(systems).length === 0) return []
    const missing = (['inventory', 'pricing', 'accounting'] as const).filter((system) => !systems[system])
    return missing.map((system) => ({
      path,
      mistake: `has no ${system}: ${consequences[system]}`,
      remedy: `Add ${path}.${system}, unless that is what you want`,
    }))
  }
  return [...find(live, `merchants.${merchant}.live`), ...find(sandbox, `merchants.${merchant}.sandbox`)]
}

/** Finds a merchant whose shoppers wait for an email that is never sent. */
function findMailWarnings({ merchant, live, registration }: MerchantConfig, { mail }: Config): ConfigMistake[] {
  const isVerified = registration ? registration === 'verified' : Object.keys(live).length > 0
  if (!isVerified || (mail && mail.url !== 'log:')) return []
  const reason = mail ? 'emails are only written to the log' : 'no mail server is configured'
  return [
    {
      path: `merchants.${merchant}${registration ? '.registration' : ''}`,
      mistake: `new shoppers must verify their email address, but ${reason}`,
      remedy: 'Set mail.url to a mail server, or registration: immediate',
    },
  ]
}
