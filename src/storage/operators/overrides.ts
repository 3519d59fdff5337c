import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { PortName } from '../../ports/system.ts'
import type { Database } from '../database.ts'
import type { DiagnosticsTables } from '../diagnostics/diagnostics-tables.ts'
import { transact } from '../transact.ts'

/** One circuit: a merchant's system in one mode. */
export interface CircuitKey {
  merchant: string
  mode: Mode
  system: PortName
}

/** A word on a circuit. `state` is `null` when it was let go. */
export interface CircuitHoldRow extends CircuitKey {
  id: string
  state: 'open' | 'closed' | null
  by: string
  untilMs: number
}

/** `null`: every merchant, every mode, everything. */
export interface CachePurgeRow {
  id: string
  merchant: string | null
  mode: Mode | null
  skus: string[] | null
  by: string
}

const NOTHING = { tenant_id: null, mode: null, system: null, state: null, skus: null, until: null }
const timeOf = (ms: number) => new Date(ms).toISOString()
/** Of a hold that another word has ended: over by the clock of every machine. */
const ENDED = timeOf(0)

/** The last word on a circuit counts: what held it before ends here, whenever that was said to begin. `state: null` lets it go. */
export async function addCircuitHold(
  db: Database,
  circuit: CircuitKey,
  { state, untilMs, by, now }: { state: 'open' | 'closed' | null; untilMs: number; by: string; now: number },
): Promise<void> {
  const [at, until] = [timeOf(now), timeOf(untilMs)]
  const of = { tenant_id: circuit.merchant, mode: circuit.mode, system: circuit.system }
  await transact(db, async (transaction) => {
    await transaction
      .updateTable('directives')
      .set({ until: ENDED })
      .where('kind', '=', 'hold')
      .where('tenant_id', '=', of.tenant_id)
      .where('mode', '=', of.mode)
      .where('system', '=', of.system)
      .where('until', '>', ENDED)
      .execute()
    await transaction
      .insertInto('directives')
      .values({ ...NOTHING, ...of, directive_id: randomUUID(), kind: 'hold', state, by, created_at: at, until })
      .execute()
  })
}

/** Has every process forget what it keeps of these SKUs; without any, of all that the merchant has; without one, of all. */
export async function addCachePurge(
  db: Database,
  { merchant, mode, skus, by, now }: Omit<CachePurgeRow, 'id'> & { now: number },
): Promise<void> {
  const row = { ...NOTHING, directive_id: randomUUID(), kind: 'purge' as const, tenant_id: merchant, mode, by }
  await db
    .insertInto('directives')
    .values({ ...row, skus: skus && JSON.stringify(skus), created_at: timeOf(now) })
    .execute()
}

/** What was said since then, and what still holds; the oldest first. */
export async function readOverridesSince(
  db: Database,
  sinceMs: number,
  now: number,
): Promise<{ holds: CircuitHoldRow[]; purges: CachePurgeRow[] }> {
  const rows = await db
    .selectFrom('directives')
    .selectAll()
    .where((of) => of.or([of('created_at', '>=', timeOf(sinceMs)), of('until', '>', timeOf(now))]))
    .orderBy('created_at')
    .orderBy('directive_id')
    .execute()
  return {
    holds: rows.flatMap((row) => (row.kind === 'hold' ? [holdOf(row)] : [])),
    purges: rows.flatMap((row) => (row.kind === 'purge' ? [purgeOf(row)] : [])),
  }
}

type Row = Selectable<DiagnosticsTables['directives']>

const holdOf = (row: Row): CircuitHoldRow => ({
  ...{ id: row.directive_id, merchant: row.tenant_id!, mode: row.mode!, system: row.system as PortName },
  ...{ state: row.state, by: row.by, untilMs: Date.parse(row.until!) },
})

const purgeOf = (row: Row): CachePurgeRow => ({
  ...{ id: row.directive_id, merchant: row.tenant_id, mode: row.mode, by: row.by },
  skus: row.skus === null ? null : (JSON.parse(row.skus) as string[]),
})
