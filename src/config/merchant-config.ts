import type { MirrorConfig } from './mirror-config.ts'
import type { SupportContact } from './support-contact.ts'
import type { SystemConfig, SystemsConfig } from './system-config.ts'

export interface MerchantConfig {
  merchant: string
  name: string
  currency: string
  timeZone: string
  bands: { low: number; hysteresis: number }
  /** How long browsers may use catalog reads of live keys without asking again; 0 by default. */
  maxAgeSeconds?: number
  /** Catalog reads come from a copy of the catalog, and are marked as stale when it is older. Absent or `null`: reads ask the systems. */
  mirror?: MirrorConfig | null
  live: SystemsConfig
  /** `verified`: a new shopper must confirm the email address first. Default: `verified` in live mode, `immediate` in sandbox mode. */
  registration?: 'verified' | 'immediate'
  /** Emails to shoppers link to these pages of the merchant, with `?token=`. Without a page the email contains only the token. */
  mail?: {
    from?: string
    verifyUrl?: string
    resetUrl?: string
    /** The address that is notified when a webhook endpoint keeps failing. */
    alerts?: string
  }
  /** The secret that signs the back office's change hints: POST /hooks/{merchant}/{system}. Without it hints are refused. */
  hookSecret?: string
  /** Whom support staff call about systems without a contact of their own, webhook endpoints, imports and keys. */
  contact?: SupportContact
  /** `null`: sandbox keys use the embedded back office. */
  sandbox: SystemsConfig | null
  /** The fitment source of a merchant that uses the embedded back office. */
  sandboxFitment?: SystemConfig | 'imported'
}
