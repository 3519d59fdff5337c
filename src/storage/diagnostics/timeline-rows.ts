import { type Selectable, sql } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { LATENCY_BOUNDS_MS } from './diagnostics-tables.ts'

export type TimelineRow = Selectable<Tables['timeline']>

const counted = ['total', 'degraded', 'stale', ...LATENCY_BOUNDS_MS.map((ms) => `le_${ms}` as const), 'over'] as const
const key = ['tenant_id', 'mode', 'step', 'at', 'system', 'section'] as const

const sums = Object.fromEntries(
  counted.map((column) => [column, sql<number>`timeline.${sql.ref(column)} + excluded.${sql.ref(column)}`]),
)

/** Adds counts to rows, which are there or not. All of them or none; each row may come once. */
export async function addTimelineCounts(db: Database, rows: readonly TimelineRow[]): Promise<void> {
  await db
    .insertInto('timeline')
    .values(rows.toSorted(inOneOrder))
    .onConflict((conflict) => conflict.columns([...key]).doUpdateSet(sums))
    .execute()
}

/** So that two processes do not wait for each other's rows. */
function inOneOrder(a: TimelineRow, b: TimelineRow): number {
  for (const column of key) if (a[column] !== b[column]) return a[column] < b[column] ? -1 : 1
  return 0
}

export interface TimelineRowQuery {
  tenant: string
  mode: Mode
  step: TimelineRow['step']
  from: string
  to: string
}

/** The rows of the steps that begin from `from` on and before `to`. Reading many at once keeps SQLite's process from all else: take stretches. */
export async function listTimelineRows(
  db: Database,
  { tenant, mode, step, from, to }: TimelineRowQuery,
): Promise<TimelineRow[]> {
  return db
    .selectFrom('timeline')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('mode', '=', mode)
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at')
    .execute()
}

/** The modes in which a merchant had answers in the minutes from that one on. */
export async function listActiveModes(db: Database, tenant: string, from: string): Promise<Mode[]> {
  const found: Mode[] = []
  // One row of each is looked for: counting a day of them would read thousands.
  for (const mode of ['live', 'sandbox'] as const) {
    const row = await db
      .selectFrom('timeline')
      .select('at')
      .where('tenant_id', '=', tenant)
      .where('mode', '=', mode)
      .where('step', '=', 'minute')
      .where('at', '>=', from)
      .where('system', '=', '')
      .where('section', '=', '')
      .limit(1)
      .executeTakeFirst()
    if (row) found.push(mode)
  }
  return found
}
