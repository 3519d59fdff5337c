/**
 * The kind of a product's number. OEM: the vehicle maker's. CROSS: a comparable product's of another brand. SUPERSEDES: of a product
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

/** Why a product may be sold instead of another: it replaces it, or both have the same number. */
export type AlternativeRelation = 'SUPERSEDED_BY' | 'OEM' | 'CROSS'

/** The references of a SKU, besides its own number. */
export interface SkuReferences {
  references: Omit<ProductReference, 'sku'>[]
  supersedes: string[]
  superseded_by: string | null
  /** Other products that may be sold instead, the best first. */
  related: { sku: string; relation: AlternativeRelation }[]
}

export const NO_REFERENCES: SkuReferences = { references: [], supersedes: [], superseded_by: null, related: [] }

/** A SKU that has a number, and why. SKU: the number is the SKU itself. */
export interface NumberMatch extends Omit<ProductReference, 'kind'> {
  kind: ReferenceKind | 'SKU'
}

/** The port of the numbers of products. Each import has an id; a reader passes it on, so that all its reads are of one import. */
export interface ReferencePort {
  /** The id of the current import; 0: nothing is imported. */
  currentImport(): Promise<number>
  /** `customerId`: includes this customer's own numbers. */
  ofSku(importId: number, sku: string, customerId: string | null): Promise<SkuReferences>
  /** The number is normalized. */
  byNumber(importId: number, number: string, customerId: string | null): Promise<NumberMatch[]>
}
