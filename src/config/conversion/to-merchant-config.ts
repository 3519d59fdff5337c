import type { MerchantConfig } from '../merchant-config.ts'
import type { BoostConfig, MirrorConfig } from '../mirror-config.ts'
import type { MerchantBlock, MerchantMailBlock } from '../schema/merchant-schema.ts'
import type { BoostBlock } from '../schema/mirror-schema.ts'
import type { SystemsBlock } from '../schema/system-schema.ts'
import { DEFAULT_BANDS, DEFAULT_MIRROR_AGE_S } from './default-settings.ts'
import { toContact } from './to-contact.ts'
import { toSystemsConfig } from './to-systems-config.ts'

export function toMerchantConfig(merchant: string, file: MerchantBlock): MerchantConfig {
  return {
    merchant,
    name: file.name,
    currency: file.currency,
    timeZone: file.time_zone,
    bands: { ...DEFAULT_BANDS, ...file.bands },
    ...(file.max_age_seconds !== undefined && { maxAgeSeconds: file.max_age_seconds }),
    ...(file.registration && { registration: file.registration }),
    mirror: toMirrorConfig(file.mirror),
    ...(file.mail && { mail: toMerchantMailConfig(file.mail) }),
    ...(file.hook_secret && { hookSecret: file.hook_secret }),
    ...toContact(file.contact),
    live: toSystemsConfig(file.live ?? {}),
    ...toSandboxConfig(file.sandbox),
  }
}

function toMirrorConfig(file: MerchantBlock['mirror']): MirrorConfig | null {
  if (file === 'off') return null
  const { max_age_seconds = DEFAULT_MIRROR_AGE_S, boosts = [], synonyms = [] } = file ?? {}
  return {
    maxAgeMs: max_age_seconds * 1_000,
    ...(boosts.length > 0 && { boosts: boosts.map(toBoostConfig) }),
    ...(synonyms.length > 0 && { synonyms }),
  }
}

function toBoostConfig({ boost, ...fields }: BoostBlock): BoostConfig {
  const [[field, value]] = Object.entries(fields) as [[BoostConfig['field'], string]]
  return { field, value, boost }
}

function toMerchantMailConfig(file: MerchantMailBlock): NonNullable<MerchantConfig['mail']> {
  return {
    ...(file.from && { from: file.from }),
    ...(file.alerts && { alerts: file.alerts }),
    ...(file.verify_url && { verifyUrl: file.verify_url }),
    ...(file.reset_url && { resetUrl: file.reset_url }),
  }
}

/** A block that names only fitment leaves the other systems to the embedded back office; an empty block names no system at all. */
function toSandboxConfig(file: SystemsBlock | undefined): Pick<MerchantConfig, 'sandbox' | 'sandboxFitment'> {
  if (!file) return { sandbox: null }
  const { fitment, ...systems } = toSystemsConfig(file)
  if (fitment && Object.keys(systems).length === 0) return { sandbox: null, sandboxFitment: fitment }
  return { sandbox: { ...systems, ...(fitment && { fitment }) } }
}
