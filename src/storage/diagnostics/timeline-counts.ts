import { type Selectable, sql } from 'kysely'
import { type Mode, modes, type Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { LATENCY_BOUNDS_MS } from '../tables/diagnostics-tables.ts'
import type { Tables } from '../tables.ts'

export type TimelineRow = Selectable<Tables['timeline']>

const countColumns = [
  'total',
  'degraded',
  'stale',
  ...LATENCY_BOUNDS_MS.map((ms) => `le_${ms}` as const),
  'over',
] as const
const keyColumns = ['tenant_id', 'mode', 'step', 'at', 'system', 'section'] as const

const sums = Object.fromEntries(
  countColumns.map((column) => [column, sql<number>`timeline.${sql.ref(column)} + excluded.${sql.ref(column)}`]),
)

/** Unknown if an earlier release counted some of the row. */
const longest = sql<
  number | null
>`case when excluded.longest_ms > timeline.longest_ms then excluded.longest_ms else timeline.longest_ms end`

/** Adds counts to existing and new rows, all or none. Each row may occur once. */
export async function addTimelineCounts(db: Database, rows: readonly TimelineRow[]): Promise<void> {
  await db
    .insertInto('timeline')
    .values(rows.toSorted(compareKeys))
    .onConflict((conflict) => conflict.columns([...keyColumns]).doUpdateSet({ ...sums, longest_ms: longest }))
    .execute()
}

/** A fixed order of rows keeps two processes from deadlocking. */
function compareKeys(a: TimelineRow, b: TimelineRow): number {
  for (const column of keyColumns) if (a[column] !== b[column]) return a[column] < b[column] ? -1 : 1
  return 0
}

export interface TimelineRowQuery extends Tenant {
  step: TimelineRow['step']
  from: string
  to: string
}

/** Returns the rows of the steps that start from `from` on and before `to`. Read long ranges in parts: with SQLite a query blocks the event loop. */
export async function listTimelineRows(
  db: Database,
  { merchant, mode, step, from, to }: TimelineRowQuery,
): Promise<TimelineRow[]> {
  return db
    .selectFrom('timeline')
    .selectAll()
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at')
    .execute()
}

/** Returns the modes in which a merchant had responses since that minute. */
export async function listActiveModes(db: Database, merchant: string, from: string): Promise<Mode[]> {
  const active: Mode[] = []
  for (const mode of modes) if (await hasResponsesSince(db, { merchant, mode, step: 'minute' }, from)) active.push(mode)
  return active
}

/** Returns whether a tenant had responses in the minutes (kept for two days) or hours (30 days) that start from `from` on. */
export async function hasResponsesSince(
  db: Database,
  { merchant, mode, step }: Pick<TimelineRowQuery, 'merchant' | 'mode' | 'step'>,
  from: string,
): Promise<boolean> {
  // One row suffices: counting a day of them would read thousands.
  const row = await db
    .selectFrom('timeline')
    .select('at')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('system', '=', '')
    .where('section', '=', '')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
