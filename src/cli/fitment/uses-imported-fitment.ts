import type { MerchantConfig } from '../../config/merchant-config.ts'
import type { Mode } from '../../tenant.ts'

/** Tests whether storefronts of a merchant and mode read the imported fitment. */
export function usesImportedFitment(merchant: MerchantConfig | null, mode: Mode): boolean {
  if (!merchant) return false
  const { live, sandbox, sandboxFitment } = merchant
  return (mode === 'live' ? live.fitment : (sandbox?.fitment ?? sandboxFitment)) === 'imported'
}
