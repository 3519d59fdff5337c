import { toPicturePaths } from '../../catalog/mirror/file/picture-paths.ts'
import type { Product } from '../../ports/inventory.ts'
import { putCatalogParts } from '../../storage/catalog/catalog-products.ts'
import { markProductsFound } from '../../storage/catalog/missing-products.ts'
import { clearReadTimes } from '../../storage/catalog/price-and-tax-refresh-queries.ts'
import { lockResources, type NewResourceState, storeResourceStates } from '../../storage/changes/resource-states.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeReadContext, ChangeSource } from '../feed/change-source.ts'
import type { SkusToInvalidate } from '../feed/invalidate-skus.ts'
import { isNewSinceBaseline, isOlderThanKnown, isSupersededRead } from '../feed/is-outdated-change.ts'
import { convertStoredPictureUrls } from './convert-stored-picture-urls.ts'
import {
  appendProductDeactivatedEvent,
  appendProductUpdatedEvent,
  chooseProductEvent,
} from './product-and-stock-events.ts'
import { type ProductState, toProductState } from './product-state.ts'

/** Products that were added, changed, deactivated or reactivated. */
export const createProductSource = ({ backOffice }: ChangeJobContext): ChangeSource<Product> => ({
  name: 'products',
  system: 'inventory',
  idOf: ({ sku }) => sku,
  read: (query, requestScope) => backOffice.changes.products(query, requestScope),
  apply: (transaction, products, reading) => applyProductChanges(transaction, products, reading),
})

/** `ignoresChangeTime`: the current content counts, whatever its change time (for reconciliation). */
export async function applyProductChanges(
  transaction: Database,
  products: readonly Product[],
  reading: ChangeReadContext,
  ignoresChangeTime = false,
): Promise<SkusToInvalidate> {
  const { tenant } = reading.context
  const skus = products.map(({ sku }) => sku)
  const known = await lockResources<ProductState>(transaction, tenant, 'product', skus, reading.calledAt)
  const states: NewResourceState[] = []
  const details: string[] = []
  const accepted: Product[] = []
  const converted = await convertStoredPictureUrls(transaction, reading, products, known)
  for (const product of products.map(toPicturePaths)) {
    const before = known.get(product.sku)!
    const found = toProductState(product)
    if (before.state && isSupersededRead(before, reading)) continue
    if (!ignoresChangeTime && before.state && isOlderThanKnown(found.at, before.state, reading)) continue
    accepted.push(product)
    if (JSON.stringify(before.state) === JSON.stringify(found)) continue
    states.push({ id: product.sku, state: found })
    if (converted.get(product.sku) === found.digest) continue
    const event = chooseProductEvent(before.state, found, isNewSinceBaseline(found.at, reading))
    if (event === 'product.updated')
      await appendProductUpdatedEvent(transaction, reading, product.sku, found, 'details')
    if (event === 'product.deactivated')
      await appendProductDeactivatedEvent(transaction, reading, product.sku, found.at)
    if (before.state || !reading.isBaseline) details.push(product.sku)
  }
  await storeResourceStates(transaction, tenant, 'product', states, reading.calledAt)
  const copied = reading.context.hasMirror ? await putProducts(transaction, accepted, details, reading) : 0
  return { details, others: [], copied }
}

/** `changed`: products whose price and tax may have changed with them. Returns how many rows are new or different. */
async function putProducts(
  transaction: Database,
  products: readonly Product[],
  changed: readonly string[],
  { context: { tenant }, at }: ChangeReadContext,
): Promise<number> {
  const rows = products.map((product) => ({
    sku: product.sku,
    product: JSON.stringify(product),
    active: Number(product.active),
  }))
  const written = await putCatalogParts(transaction, tenant, rows, at)
  await clearReadTimes(transaction, tenant, changed)
  await markProductsFound(
    transaction,
    tenant,
    products.map(({ sku }) => sku),
  )
  return written.length
}
