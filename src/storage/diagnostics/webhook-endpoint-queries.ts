import type { Database } from '../database.ts'

export async function countEndpointsByStatus(db: Database) {
  return db
    .selectFrom('subscriptions')
    .select(['tenant_id', 'mode', 'status'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['tenant_id', 'mode', 'status'])
    .execute()
}

/** An endpoint with attempts and without a success for this long fails, although its events still have attempts left. */
export const UNSUCCESSFUL_ENDPOINT_MS = 900_000

/** Counts the endpoints that are not disabled and have had attempts but no success since that instant or longer. */
export async function countUnsuccessfulEndpoints(db: Database, since: string) {
  return db
    .selectFrom('subscriptions')
    .select(['tenant_id', 'mode'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '!=', 'DISABLED')
    .where('consecutive_failures', '>', 0)
    .where((eb) => eb.or([eb('failing_since', '<=', since), eb('status', '=', 'FAILING')]))
    .groupBy(['tenant_id', 'mode'])
    .execute()
}

export type FailingEndpoint = Awaited<ReturnType<typeof listFailingEndpoints>>[number]

export type RecentlyFailingEndpoint = Awaited<ReturnType<typeof listRecentlyFailingEndpoints>>[number]

/** Returns endpoints of these merchants that are not disabled, and whose attempts have all failed since some time after that instant (RFC 3339). */
export const listRecentlyFailingEndpoints = (
  db: Database,
  merchants: readonly string[],
  after: string,
  limit: number,
) =>
  db
    .selectFrom('subscriptions')
    .select(['subscription_id', 'tenant_id', 'mode', 'endpoint_url', 'failing_since', 'consecutive_failures'])
    .where('tenant_id', 'in', merchants)
    .where('status', '=', 'ACTIVE')
    .where('consecutive_failures', '>', 0)
    .where('failing_since', '>', after)
    .orderBy('failing_since')
    .limit(limit)
    .execute()

/** Returns endpoints of these merchants that are not disabled, and whose attempts have all failed since that instant (RFC 3339) or longer. */
export const listFailingEndpoints = (db: Database, merchants: readonly string[], until: string, limit: number) =>
  db
    .selectFrom('subscriptions')
    .select(['subscription_id', 'tenant_id', 'mode', 'endpoint_url', 'failing_since'])
    .where('tenant_id', 'in', merchants)
    .where('status', '!=', 'DISABLED')
    .where('consecutive_failures', '>', 0)
    .where('failing_since', '<=', until)
    .orderBy('failing_since', 'desc')
    .limit(limit)
    .execute()
