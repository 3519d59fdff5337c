import { adapters } from '../adapters.ts'
import type { Config, MerchantConfig, SystemsConfig } from '../config/config.ts'
import { type ConfigMistake, formatConfigMistake } from '../config/config-error.ts'
import { findConfigWarnings } from '../config/config-warnings.ts'
import { readServerConfig } from '../config/read-config.ts'
import { redactStoreAddress } from '../config/store-address.ts'
import { formatCountedNoun } from './imports/import-text.ts'
import { print } from './print.ts'

/** The exit code for a valid file with warnings. A file with mistakes has the exit code of wrong usage. */
const WARNINGS_FOUND = 1

/** Prints what a configuration file sets, with warnings. Throws ConfigError with every mistake in it. */
export function runConfigCheck(file: string): void {
  const parsed = readServerConfig(file, adapters)
  const warnings = findConfigWarnings(parsed)
  print([formatVerdict(file, warnings), ...summarize(parsed.config)].join('\n'))
  if (warnings.length > 0) process.exitCode = WARNINGS_FOUND
}

function formatVerdict(file: string, warnings: readonly ConfigMistake[]): string {
  if (warnings.length === 0) return `${file} is valid.`
  const count = formatCountedNoun(warnings.length, 'warning')
  return [`${file} is valid, with ${count}:`, ...warnings.map(formatConfigMistake), 'It sets:'].join('\n')
}

const summarize = (config: Config): string[] => [
  `  listens on ${config.listen.host}:${config.listen.port}${config.listen.tls ? ' with TLS' : ''}, store ${redactStoreAddress(config.store)}`,
  ...config.merchants.flatMap((merchant) => [
    `  ${merchant.merchant} (${merchant.name})`,
    `    live     ${formatSystems(merchant.live) || 'none'}`,
    `    sandbox  ${formatSandbox(merchant, config)}`,
  ]),
]

function formatSandbox({ sandbox, sandboxFitment }: MerchantConfig, { embeddedSandbox }: Config): string {
  if (sandbox) return formatSystems(sandbox) || 'none'
  if (embeddedSandbox === false) return 'off (embedded_sandbox: true runs the embedded back office for sandbox keys)'
  const fitment = sandboxFitment ? `, ${formatSystems({ fitment: sandboxFitment })}` : ''
  return `embedded back office${fitment}`
}

const formatSystems = (systems: SystemsConfig): string =>
  Object.entries(systems)
    .map(([name, system]) =>
      system === 'imported' ? `${name}: imported` : `${name}: ${system.adapter} ${system.address}`,
    )
    .join(', ')
