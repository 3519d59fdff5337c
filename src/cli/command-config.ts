import { existsSync } from 'node:fs'
import { adapters } from '../adapters.ts'
import { type MerchantConfig, type Mode, readConfig, readDefaultConfig } from '../config/config.ts'
import { UsageError } from './usage-error.ts'

/** What a configuration says of its merchants; the demo's, when there is none. */
export interface CommandConfig {
  store: string
  dataDirectory: string
  /** "forecourt.yaml", or "The demo". */
  name: string
  merchants: readonly string[]
  /** `null`: the demo's, whose systems are made when it starts. */
  of(merchant: string): MerchantConfig | null
}

export function readCommandConfig(configFile: string | undefined): CommandConfig {
  const file = configFile ?? (existsSync('forecourt.yaml') ? 'forecourt.yaml' : undefined)
  if (!file) return { ...readDefaultConfig(), name: 'The demo', merchants: ['demo'], of: () => null }
  const { store, dataDirectory, merchants } = readConfig(file, adapters)
  return {
    ...{ store, dataDirectory, name: file },
    merchants: merchants.map(({ merchant }) => merchant),
    of: (merchant) => merchants.find((one) => one.merchant === merchant) ?? null,
  }
}

export function requireMerchant({ merchants, name }: CommandConfig, merchant: string): void {
  if (!merchants.includes(merchant))
    throw new UsageError(`There is no merchant "${merchant}". ${name} has: ${merchants.join(', ')}`)
}

/** A merchant and mode that the configuration has. */
export function requireTenant(at: CommandConfig, merchant: string, mode: string): { tenant_id: string; mode: Mode } {
  requireMerchant(at, merchant)
  if (mode !== 'live' && mode !== 'sandbox') throw new UsageError(`--mode is one of live, sandbox, not "${mode}"`)
  return { tenant_id: merchant, mode }
}

/** Whether a merchant's storefronts see what is imported for that mode. */
export function isFitmentImported(merchant: MerchantConfig | null, mode: Mode): boolean {
  if (!merchant) return false
  const { live, sandbox, sandboxFitment } = merchant
  return (mode === 'live' ? live.fitment : (sandbox?.fitment ?? sandboxFitment)) === 'imported'
}
