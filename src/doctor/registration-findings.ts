import { describeMissingEmail } from '../config/describe-missing-email.ts'
import type { DoctorTarget } from './connect-ports.ts'
import type { SystemFinding } from './diagnosis.ts'

/** Warns of shoppers who cannot register, because Forecourt sends no emails. */
export function registrationFindings({
  merchant,
  mode,
  mail,
}: Pick<DoctorTarget, 'merchant' | 'mode' | 'mail'>): SystemFinding[] {
  const finding = mode === 'live' ? describeMissingEmail(merchant, { ...(mail && { mail }) }) : null
  if (finding === null) return []
  const remedy = 'Set mail.url and mail.from in the configuration'
  return [{ check: 'registration', severity: 'warning', systems: ['accounting'], finding, remedy }]
}
