import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { FoundRow } from './found-row.ts'

/** More are not listed: an id names one thing, and a client may repeat the ids of its requests. */
const MAX_ROWS = 20

const lower = (column: string) => sql<string>`lower(${sql.ref(column)})`
/** Each database lowers both sides alike: SQLite only ASCII. */
const lowered = (text: string) => sql<string>`lower(${text})`

export interface FoundRequest extends FoundRow {
  kind: string
  status: number
}

/** Returns the latest requests with an id, whatever its letter case; each id and tenant once. */
export async function findRequestsById(db: Database, id: string): Promise<FoundRequest[]> {
  const records = await db
    .selectFrom('request_records')
    .select(['tenant_id', 'mode', 'request_id as id', 'kind', 'status'])
    .where(lower('request_id'), '=', lowered(id))
    .orderBy('at', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const latest = new Map<string, FoundRequest>()
  for (const row of records) {
    const key = `${row.id}\n${row.tenant_id}\n${row.mode}`
    if (!latest.has(key)) latest.set(key, row)
  }
  return [...latest.values()]
}

export const findIncidentsById = (db: Database, id: string) =>
  db
    .selectFrom('incidents')
    .select(['tenant_id', 'mode', 'incident_id as id', 'system', 'section'])
    .where(lower('incident_id'), '=', lowered(id))
    .limit(MAX_ROWS)
    .execute()

export const findSubscriptionsById = (db: Database, id: string) =>
  db
    .selectFrom('subscriptions')
    .select(['tenant_id', 'mode', 'subscription_id as id', 'status'])
    .where(lower('subscription_id'), '=', lowered(id))
    .limit(MAX_ROWS)
    .execute()

export interface FoundDelivery extends FoundRow {
  subscription_id: string
  event_type: string
}

/** `id`: in lower case, as all ids of deliveries are. */
export const findDeliveriesById = (db: Database, id: string): Promise<FoundDelivery[]> =>
  selectDeliveries(db).where('delivery_id', '=', id).execute()

/** Returns the deliveries of an event. Its id must have its own letter case. */
export const findDeliveriesOfEvent = (db: Database, eventId: string): Promise<FoundDelivery[]> =>
  selectDeliveries(db).where('event_id', '=', eventId).limit(MAX_ROWS).execute()

const selectDeliveries = (db: Database) =>
  db.selectFrom('deliveries').select(['tenant_id', 'mode', 'delivery_id as id', 'subscription_id', 'event_type'])

/** Returns the products with a SKU, of all tenants whose catalogs are copied into the store. */
export const findProductsBySku = (db: Database, sku: string): Promise<FoundRow[]> =>
  db
    .selectFrom('catalog_products')
    .select(['tenant_id', 'mode', 'sku as id'])
    .where(lower('sku'), '=', lowered(sku))
    .limit(MAX_ROWS)
    .execute()

export interface FoundKey extends FoundRow {
  hint: string
  label: string | null
}

/** `prefix`: the first characters of a key, or `null`. At most as many as the stored ones are compared. */
export const findKeysByText = (
  db: Database,
  { text, prefix }: { text: string; prefix: string | null },
): Promise<FoundKey[]> =>
  db
    .selectFrom('api_keys')
    .select(['tenant_id', 'mode', 'key_id as id', 'hint', 'label'])
    .where((eb) => {
      const exact = (['key_id', 'hint', 'label'] as const).map((column) => eb(lower(column), '=', lowered(text)))
      if (prefix === null) return eb.or(exact)
      const start = sql<string>`substr(lower(hint), 1, ${prefix.length})`
      return eb.or([...exact, eb(start, '=', lowered(prefix))])
    })
    .limit(MAX_ROWS)
    .execute()
