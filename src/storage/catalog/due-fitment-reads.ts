import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { takeCatalogSequences } from './catalog-sequences.ts'

/** A product whose fitment is to be read from a system. */
export interface DueFitment {
  sku: string
  sequence: number
}

/** Returns active products: those that are new or changed when `isUnread`, otherwise those that were read, the longest unread first. */
export async function listDueFitments(
  db: Database,
  { merchant, mode }: Tenant,
  isUnread: boolean,
  limit: number,
): Promise<DueFitment[]> {
  const rows = await db
    .selectFrom('catalog_products')
    .select(['sku', 'sequence'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('active', '=', 1)
    .where('product', 'is not', null)
    .where('fitment_read_at', isUnread ? 'is' : 'is not', null)
    .orderBy('fitment_read_at')
    .limit(limit)
    .execute()
  return rows.map(({ sku, sequence }) => ({ sku, sequence: Number(sequence) }))
}

/** Records that the fitment of products was read, except of those that have changed since they were listed. Locks the catalog. */
export async function markFitmentsRead(
  transaction: Database,
  tenant: Tenant,
  products: readonly DueFitment[],
  at: string,
): Promise<void> {
  if (products.length === 0) return
  // Writers of the catalog wait here for each other, so that no product changes between the two.
  await takeCatalogSequences(transaction, tenant, 0, at)
  // A sequence number belongs to one product, and no product gets it again.
  await transaction
    .updateTable('catalog_products')
    .set({ fitment_read_at: at })
    .where('tenant_id', '=', tenant.merchant)
    .where('mode', '=', tenant.mode)
    .where(
      'sku',
      'in',
      products.map(({ sku }) => sku),
    )
    .where(
      'sequence',
      'in',
      products.map(({ sequence }) => sequence),
    )
    .execute()
}

/** Lets the fitment of all products be read again. */
export async function resetFitmentReads(transaction: Database, { merchant, mode }: Tenant): Promise<void> {
  await transaction
    .updateTable('catalog_products')
    .set({ fitment_read_at: null })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('fitment_read_at', 'is not', null)
    .execute()
}
