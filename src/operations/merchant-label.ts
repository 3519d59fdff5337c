export type MerchantLabel = (tenant: string | null) => string

/** Returns the value of the label `merchant`: a configured merchant's name, `none` without a merchant (a request without a key), or `other`. */
export function createMerchantLabel(merchants: readonly string[]): MerchantLabel {
  const known = new Set(merchants)
  return (tenant) => (tenant === null ? 'none' : known.has(tenant) ? tenant : 'other')
}
