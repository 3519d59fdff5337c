import { sql } from 'kysely'
import type { Health } from '../contract/health.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/offices.ts'
import { version } from './version.ts'

/** The state of this process and of what it leans on, in words alone: no host, no address, no merchant. */
export async function health(db: Database, offices: Offices, startedAt: number, now = Date.now()): Promise<Health> {
  const store = (await storeAnswers(db)) ? 'ok' : 'down'
  const upstreams = offices.states().every(({ state }) => state === 'closed') ? 'ok' : 'degraded'
  return {
    status: store === 'down' ? 'down' : upstreams,
    version,
    time: new Date(now).toISOString(),
    uptime_seconds: Math.floor((now - startedAt) / 1_000),
    checks: { store: { status: store }, upstreams: { status: upstreams }, webhooks: { status: 'ok', backlog: 0 } },
  }
}

async function storeAnswers(db: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}
