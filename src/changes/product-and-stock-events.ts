import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Product } from '../ports/inventory.ts'
import type { Database } from '../storage/database.ts'
import { appendEvent } from '../storage/webhooks/outbox.ts'
import type { ChangeReadContext } from './change-source.ts'

/** What is kept of a product as it was last seen. */
export interface ProductState {
  active: boolean
  /** Over all that a storefront may see of it, but for the time of its change. */
  digest: string
  /** Its own time of change. */
  at: string
  name: string
  slug: string
  /** How often in a row the inventory did not know it. */
  missed?: number
}

export interface StockState {
  band: 'IN_STOCK' | 'LOW' | 'OUT' | 'LEAD_TIME'
  eta: string | null
}

export function toProductState({ updated_at, ...content }: Product): ProductState {
  const { active, name, slug } = content
  return { active, digest: hash('sha256', canonicalize(content) ?? '', 'base64url'), at: updated_at, name, slug }
}

/** What there is to tell when a product is found like this. `told`: of one that was not known before. */
export function chooseProductEvent(
  known: ProductState | null,
  found: ProductState,
  told: boolean,
): 'product.updated' | 'product.deactivated' | null {
  if (!known) return told && found.active ? 'product.updated' : null
  if (!found.active) return known.active ? 'product.deactivated' : null
  return !known.active || known.digest !== found.digest ? 'product.updated' : null
}

type Moment = Pick<ChangeReadContext, 'place' | 'at'>

const whenOf = ({ place, at }: Moment) => ({
  ...{ ...place.owner, at, deliverAt: new Date(Date.parse(at) + place.catalogDelayMs).toISOString() },
})

export async function appendProductUpdatedEvent(
  transaction: Database,
  moment: Moment,
  sku: string,
  { name, slug, active, at }: ProductState,
  changed: 'details' | 'price',
): Promise<void> {
  const data = { sku, name, slug, active, updated_at: at, changed: [changed] }
  const resource = { type: 'product' as const, id: sku }
  await appendEvent(transaction, { ...whenOf(moment), type: 'product.updated', resource, data })
}

export async function appendProductDeactivatedEvent(
  transaction: Database,
  moment: Moment,
  sku: string,
  updatedAt: string,
) {
  const data = { sku, updated_at: updatedAt }
  const resource = { type: 'product' as const, id: sku }
  await appendEvent(transaction, { ...whenOf(moment), type: 'product.deactivated', resource, data })
}

/** The band alone: no count is ever told. */
export async function appendStockChangedEvent(
  transaction: Database,
  moment: Moment,
  sku: string,
  { band, eta }: StockState,
  previous: StockState,
): Promise<void> {
  const data = { sku, band, previous_band: previous.band, eta }
  const resource = { type: 'stock' as const, id: sku }
  await appendEvent(transaction, { ...whenOf(moment), type: 'stock.changed', resource, data })
}
