import type { SupportContact } from './support-contact.ts'

export interface SystemConfig {
  adapter: string
  address: string
  /** The adapter's own settings, validated by its schema. */
  settings: Record<string, unknown>
  /** Limits that the file sets; the guard has defaults for the others. */
  limits: { timeoutMs?: number; concurrency?: number; searchConcurrency?: number; perMinute?: number; queue?: number }
  maxResponseBytes: number
  contact?: SupportContact
}

/** The systems of one merchant and mode. Without `fitment`, vehicle fitment comes from the inventory; `imported` reads what `forecourt fitment import` stored. */
export interface SystemsConfig {
  inventory?: SystemConfig
  pricing?: SystemConfig
  accounting?: SystemConfig
  fitment?: SystemConfig | 'imported'
}
