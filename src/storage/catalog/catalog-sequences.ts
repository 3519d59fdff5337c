import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'

const MICROSECONDS = 1_000

/**
 * Reserves sequence numbers for changes of a tenant's catalog, and returns the number before the first of them. A number is the time of
 * its change in microseconds since the epoch, unless the clock was set back. Transactions on a tenant's catalog wait here for each other,
 * so that numbers become visible in order.
 */
export async function takeCatalogSequences(
  transaction: Database,
  tenant: Tenant,
  count: number,
  at: string,
): Promise<number> {
  const time = Date.parse(at) * MICROSECONDS
  const { last } = await transaction
    .insertInto('catalog_sequences')
    .values({ ...tenantColumns(tenant), last: time + count })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'mode']).doUpdateSet({
        last: sql<number>`case when catalog_sequences.last < ${time} then ${time} else catalog_sequences.last end + ${count}`,
      }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Number(last) - count
}

/** Returns the sequence number of the newest change; 0 before the first. */
export async function readCatalogSequence(db: Database, { merchant, mode }: Tenant): Promise<number> {
  const row = await db
    .selectFrom('catalog_sequences')
    .select('last')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}
