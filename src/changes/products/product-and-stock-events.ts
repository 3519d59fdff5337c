import type { Database } from '../../storage/database.ts'
import { appendEvent } from '../../storage/webhooks/outbox.ts'
import type { ChangeReadContext } from '../feed/change-source.ts'
import type { ProductState, StockState } from './product-state.ts'

/** Returns the event for a product's new state, if any. `isReported`: an unknown product causes an event. */
export function chooseProductEvent(
  known: ProductState | null,
  found: ProductState,
  isReported: boolean,
): 'product.updated' | 'product.deactivated' | null {
  if (!known) return isReported && found.active ? 'product.updated' : null
  if (!found.active) return known.active ? 'product.deactivated' : null
  return !known.active || known.digest !== found.digest ? 'product.updated' : null
}

type EventContext = Pick<ChangeReadContext, 'context' | 'at'>

const commonFields = ({ context: { tenant, catalogDelayMs }, at }: EventContext) => ({
  ...tenant,
  at,
  heldUntil: catalogDelayMs > 0 ? new Date(Date.parse(at) + catalogDelayMs).toISOString() : undefined,
})

export async function appendProductUpdatedEvent(
  transaction: Database,
  reading: EventContext,
  sku: string,
  { name, slug, active, at }: ProductState,
  changed: 'details' | 'price',
): Promise<void> {
  const data = { sku, name, slug, active, updated_at: at, changed: [changed] }
  const resource = { type: 'product' as const, id: sku }
  await appendEvent(transaction, { ...commonFields(reading), type: 'product.updated', resource, data })
}

export async function appendProductDeactivatedEvent(
  transaction: Database,
  reading: EventContext,
  sku: string,
  updatedAt: string,
) {
  const data = { sku, updated_at: updatedAt }
  const resource = { type: 'product' as const, id: sku }
  await appendEvent(transaction, { ...commonFields(reading), type: 'product.deactivated', resource, data })
}

/** Events contain the band only, never a stock count. */
export async function appendStockChangedEvent(
  transaction: Database,
  reading: EventContext,
  sku: string,
  { band, eta }: StockState,
  previous: StockState,
): Promise<void> {
  const data = { sku, band, previous_band: previous.band, eta }
  const resource = { type: 'stock' as const, id: sku }
  await appendEvent(transaction, { ...commonFields(reading), type: 'stock.changed', resource, data })
}
