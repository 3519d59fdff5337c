import type { MerchantConfig } from '../../config/merchant-config.ts'
import { type Mode, modes, type Tenant } from '../../tenant.ts'
import { type CommandConfig, requireMerchant } from '../command-config.ts'
import { parseChoiceOption } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'
import type { StoreCommandOptions } from '../with-store.ts'

export interface MirrorCommandOptions extends StoreCommandOptions {
  mode?: string
}

/** The demo's merchants, whose systems exist only while the demo runs, have mirrors. */
const hasMirror = (merchant: MerchantConfig | null): boolean => merchant === null || Boolean(merchant.mirror)

/** Without systems, sandbox keys are refused, and nothing is mirrored. */
const hasSystems = ({ embeddedSandbox }: CommandConfig, merchant: MerchantConfig | null, mode: Mode): boolean =>
  mode === 'live' || merchant === null || merchant.sandbox !== null || embeddedSandbox !== false

/** Returns the tenant of a command: the live mode by default, and the sandbox in the demo. */
export function requireMirroredTenant(config: CommandConfig, merchant: string, { mode }: MirrorCommandOptions): Tenant {
  requireMerchant(config, merchant)
  const settings = config.merchantConfig(merchant)
  const tenant = {
    merchant,
    mode: mode === undefined ? (settings ? 'live' : 'sandbox') : parseChoiceOption('--mode', mode, modes),
  } as const
  if (!hasMirror(settings))
    throw new UsageError(`The mirror of "${merchant}" is off. Remove mirror: off in ${config.name}`)
  return tenant
}

/** Returns the tenants that have a mirror, of one merchant or all, in one mode or both. */
export function listMirroredTenants(
  config: CommandConfig,
  merchant: string | undefined,
  { mode }: MirrorCommandOptions,
): Tenant[] {
  if (merchant !== undefined) requireMerchant(config, merchant)
  const chosen = mode === undefined ? modes : [parseChoiceOption('--mode', mode, modes)]
  return config.merchants
    .filter((name) => (merchant === undefined || name === merchant) && hasMirror(config.merchantConfig(name)))
    .flatMap((name) => chosen.map((each) => ({ merchant: name, mode: each })))
    .filter((tenant) => hasSystems(config, config.merchantConfig(tenant.merchant), tenant.mode))
}
