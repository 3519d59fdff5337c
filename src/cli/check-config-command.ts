import { adapters } from '../adapters.ts'
import type { Config } from '../config/config.ts'
import { type ConfigMistake, formatConfigMistake } from '../config/config-error.ts'
import { readDefaultConfig } from '../config/conversion/default-config.ts'
import { describeMissingEmail } from '../config/describe-missing-email.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import { readServerConfig } from '../config/read-config.ts'
import { redactStoreAddress } from '../config/store-address.ts'
import type { SystemsConfig } from '../config/system-config.ts'
import { findConfigWarnings } from '../config/warnings/find-config-warnings.ts'
import { forecourtCommand } from '../installed-command-line.ts'
import { DEFAULT_CONFIG_FILE, findConfigFile } from './default-config-file.ts'
import { formatCountedNoun } from './format-counts.ts'
import { print } from './print.ts'

/** The exit code for a valid file with warnings. A file with mistakes has the exit code of wrong usage. */
const WARNINGS_FOUND = 1

/** Prints what a configuration file sets, with warnings; without one, what the demo uses. Throws ConfigError with every mistake. */
export function runConfigCheck(named: string | undefined): void {
  const file = findConfigFile(named)
  if (!file) {
    print(describeDemo())
    return
  }
  const parsed = readServerConfig(file, adapters)
  const warnings = findConfigWarnings(parsed)
  print([formatVerdict(file, warnings), ...summarize(parsed.config)].join('\n'))
  if (warnings.length > 0) process.exitCode = WARNINGS_FOUND
}

/** The demo has no file: its settings come from the environment. */
function describeDemo(): string {
  return [
    `There is no ${DEFAULT_CONFIG_FILE} here, so commands use the demo. Its settings, also those of the environment, are valid:`,
    formatListener(readDefaultConfig()),
    `To check a file, name it: ${forecourtCommand} config check <file>`,
  ].join('\n')
}

function formatVerdict(file: string, warnings: readonly ConfigMistake[]): string {
  if (warnings.length === 0) return `${file} is valid.`
  const count = formatCountedNoun(warnings.length, 'warning')
  return [`${file} is valid, with ${count}:`, ...warnings.map(formatConfigMistake), 'It sets:'].join('\n')
}

const formatListener = ({ listen, store }: Pick<Config, 'listen' | 'store'>): string =>
  `  listens on ${listen.host}:${listen.port}${listen.tls ? ' with TLS' : ''}, store ${redactStoreAddress(store)}`

const summarize = (config: Config): string[] => [
  formatListener(config),
  ...config.merchants.flatMap((merchant) => [
    `  ${merchant.merchant} (${merchant.name})`,
    `    live     ${formatSystems(merchant.live) || 'none'}`,
    `    sandbox  ${formatSandbox(merchant, config)}`,
    ...formatRegistration(merchant, config),
  ]),
]

/** With verified registration, the missing mail server is one of the warnings. */
function formatRegistration(merchant: MerchantConfig, config: Config): string[] {
  const missing = merchant.registration === 'immediate' ? describeMissingEmail(merchant, config) : null
  return missing === null ? [] : [`    ${missing}. To change that, set mail.url and mail.from`]
}

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
