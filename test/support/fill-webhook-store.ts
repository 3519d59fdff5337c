import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../src/storage/database.ts'
import { isPostgresDatabase } from '../../src/storage/is-postgres-database.ts'

const DATA = JSON.stringify({ text: 'x'.repeat(500) })

/** Fills a store with events of merchant acme's sandbox, a second apart from the first of January 2026 on, and a delivered delivery of each. */
export async function fillWebhookStore(
  db: Database,
  { subscriptionId, events }: { subscriptionId: string; events: number },
): Promise<void> {
  const digits = (length: number, number: RawBuilder<unknown>) =>
    sql`substr(cast(${sql.lit(10 ** length)} + ${number} as text), 2)`
  const [day, hour] = [digits(2, sql`1 + n / 86400`), digits(2, sql`n / 3600 % 24`)]
  const time = sql`${hour} || ':' || ${digits(2, sql`n / 60 % 60`)} || ':' || ${digits(2, sql`n % 60`)}`
  await sql`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(events)})
    insert into events (event_id, tenant_id, mode, type, resource_type, resource_id, sequence, data, created_at)
    select 'evt_00000000000000' || ${digits(8, sql`n`)}, 'acme', 'sandbox', 'order.shipped', 'order',
      'SO-' || n, 1, ${sql.lit(DATA)}, '2026-01-' || ${day} || 'T' || ${time} || '.000Z'
    from numbers`.execute(db)
  await sql`
    insert into deliveries (delivery_id, subscription_id, tenant_id, mode, event_id, event_type, status, cause, log, due_at,
      created_at, ended_at, attempts)
    select '00000000-0000-4000-8000-0000' || substr(event_id, 19), ${sql.lit(subscriptionId)}, tenant_id, mode, event_id, type,
      'DELIVERED', 'EVENT', '[]', created_at, created_at, created_at, 1
    from events`.execute(db)
  // PostgreSQL plans by statistics. A store that grew over time has them; this one would wait for autovacuum.
  if (isPostgresDatabase(db)) await sql`analyze events, deliveries`.execute(db)
}
