import type { SupportContact } from '../config/support-contact.ts'
import { nameSystem } from '../diagnostics/section-and-system-names.ts'
import type { Tenant } from '../tenant.ts'
import type { MerchantDirectory } from './merchant-directory.ts'

/** Whom to call about a thing, or the setting that would name somebody. */
export interface WhomToCall {
  about: string
  /** `null`: nobody is configured. */
  contact: SupportContact | null
  setting: string
}

export const callAboutSystem = (merchants: MerchantDirectory, tenant: Tenant, system: string): WhomToCall => ({
  about: `${nameSystem(system)} of ${merchants.name(tenant.merchant)}${tenant.mode === 'sandbox' ? ' (sandbox)' : ''}`,
  contact: merchants.contact(tenant, system),
  setting: toMerchantSetting(tenant.merchant),
})

/** About the merchant's webhook endpoints, imports and keys. */
export const callAboutMerchant = (merchants: MerchantDirectory, merchant: string): WhomToCall => ({
  about: merchants.name(merchant),
  contact: merchants.merchantContact(merchant),
  setting: toMerchantSetting(merchant),
})

/** About its store, its machines, its configuration and new keys. */
export const callAboutForecourt = ({ forecourtContact }: MerchantDirectory): WhomToCall => ({
  about: 'Forecourt',
  contact: forecourtContact,
  setting: 'operations.contact',
})

const toMerchantSetting = (merchant: string) => `merchants.${merchant}.contact`
