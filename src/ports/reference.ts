/**
 * What a number of a product is. OEM: the vehicle maker's. CROSS: a comparable product's of another brand. SUPERSEDES: of a product
 * that this one replaces. SUPERSEDED_BY: of the product that replaces this one. CUSTOMER: one customer's own.
 */
export const referenceKinds = ['OEM', 'CROSS', 'SUPERSEDES', 'SUPERSEDED_BY', 'CUSTOMER'] as const

export type ReferenceKind = (typeof referenceKinds)[number]

/** A number of a product, as an import has it. */
export interface ProductReference {
  sku: string
  kind: ReferenceKind
  brand: string | null
  number: string
}

/** Returns a number as it is compared: upper case, letters and digits only. `BP-1001`, `bp 1001` and `BP1001` are one number. */
export const normalizeNumber = (number: string): string =>
  number
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
