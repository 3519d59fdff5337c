import { adapters } from '../adapters.ts'
import type { Config } from '../config/config.ts'
import { readDefaultConfig } from '../config/conversion/default-config.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import { readConfig } from '../config/read-config.ts'
import { modes, type Tenant } from '../tenant.ts'
import { findConfigFile } from './default-config-file.ts'
import { parseChoiceOption } from './parse-option.ts'
import { UsageError } from './usage-error.ts'

/** The parts of a configuration that commands need. Without a file, those of the demo. */
export interface CommandConfig
  extends Pick<Config, 'listen' | 'store' | 'dataDirectory' | 'log' | 'webhooks' | 'embeddedSandbox'> {
  /** The name of the configuration in messages: "forecourt.yaml", or "The demo". */
  name: string
  merchants: readonly string[]
  /** Returns `null` for the demo merchant, whose systems exist only while the demo runs. */
  merchantConfig(merchant: string): MerchantConfig | null
}

export function readCommandConfig(configFile: string | undefined): CommandConfig {
  const file = findConfigFile(configFile)
  if (!file) return { ...readDefaultConfig(), name: 'The demo', merchants: ['demo'], merchantConfig: () => null }
  const { merchants, ...config } = readConfig(file, adapters)
  return {
    ...config,
    name: file,
    merchants: merchants.map(({ merchant }) => merchant),
    merchantConfig: (id) => merchants.find(({ merchant }) => merchant === id) ?? null,
  }
}

export function requireMerchant({ merchants, name }: CommandConfig, merchant: string): void {
  if (!merchants.includes(merchant))
    throw new UsageError(`There is no merchant "${merchant}". ${name} has: ${merchants.join(', ')}`)
}

/** Returns the tenant that --merchant and --mode name. */
export function requireTenant(config: CommandConfig, options: { merchant: string; mode: string }): Tenant {
  requireMerchant(config, options.merchant)
  return { merchant: options.merchant, mode: parseChoiceOption('--mode', options.mode, modes) }
}
