import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { Product } from '../../ports/inventory.ts'

/** The stored state of a product at its last read. */
export interface ProductState {
  active: boolean
  /** A digest of the product without its change time. */
  digest: string
  /** The product's change time. */
  at: string
  name: string
  slug: string
  /** The time of the first read in which inventory did not return the product. It has not returned it since. */
  missingSince?: string
}

export type StockState = StockAvailability

export function toProductState({ updated_at, ...content }: Product): ProductState {
  const { active, name, slug } = content
  return { active, digest: hash('sha256', canonicalize(content) ?? '', 'base64url'), at: updated_at, name, slug }
}
