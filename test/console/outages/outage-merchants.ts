import type { MerchantConfig } from '../../../src/config/merchant-config.ts'
import { HOUR_MS } from './outage-times.ts'

const regional = { timeZone: 'America/Jamaica', currency: 'JMD', mirror: { maxAgeMs: HOUR_MS } }
export const outageMerchants = [
  {
    ...{ merchant: 'acme', name: 'Acme Parts', ...regional },
    contact: { name: 'Acme IT desk', phone: '+1 876 555-0102' },
    live: {
      pricing: { contact: { name: 'Lee Wong', phone: '+1 876 555-0100' } },
      accounting: { contact: { name: 'Ines Brown', phone: '+1 876 555-0101' } },
      fitment: 'imported',
    },
  },
  {
    ...{ merchant: 'zenith', name: 'Zenith', ...regional },
    contact: { name: 'Zenith IT desk', phone: '+1 876 555-0103' },
  },
] as MerchantConfig[]
/** Whom to call about this Forecourt. */
export const forecourtContact = { name: 'Forecourt on call', phone: '+1 876 555-0199' }

/** As pages name them. */
export const ACME_CONTACT = 'Acme IT desk, +1 876 555-0102'
export const FORECOURT_CONTACT = 'Forecourt on call, +1 876 555-0199'
