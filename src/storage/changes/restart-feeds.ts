import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Makes feeds of a tenant read all rows from the beginning, as if they were new. Rows that are equal cause no event. */
export async function restartFeeds(
  db: Database,
  { merchant, mode }: Tenant,
  sources: readonly string[],
): Promise<void> {
  await db
    .updateTable('feeds')
    .set({ baseline: 1, watermark: null })
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('source', 'in', sources)
    .execute()
}
