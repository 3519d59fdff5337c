export type MerchantLabel = (tenant: string | null) => string

/** The merchants of the configuration by name: `none` is nobody, as of a request without a key, and whoever else there is, is `other`. */
export function createMerchantLabel(merchants: readonly string[]): MerchantLabel {
  const known = new Set(merchants)
  return (tenant) => (tenant === null ? 'none' : known.has(tenant) ? tenant : 'other')
}
