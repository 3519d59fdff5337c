import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { CircuitName } from '../../ports/circuit-name.ts'
import type { Mode, Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { OperatorTables } from '../tables/operator-tables.ts'
import { tenantColumns } from '../tenant-columns.ts'
import { withinTransaction } from '../transact.ts'

/** One circuit of a merchant in one mode. */
export interface CircuitKey extends Tenant {
  circuit: CircuitName
}

/** An operator's hold of a circuit. `state` is `null` when it was released. */
export interface CircuitHoldRow extends CircuitKey {
  id: string
  state: 'open' | 'closed' | null
  /** The system is held open for planned maintenance. */
  isMaintenance?: boolean
  by: string
  untilMs: number
}

/** A purge of cached values. `null` stands for every merchant, both modes, or all SKUs. */
export interface CachePurgeRow {
  id: string
  merchant: string | null
  mode: Mode | null
  skus: string[] | null
  by: string
}

const noValues = { tenant_id: null, mode: null, system: null, state: null, reason: null, skus: null, until: null }
const iso = (ms: number) => new Date(ms).toISOString()
/** The end of a hold that was replaced: in the past by the clock of every machine. */
const ENDED = iso(0)

export interface NewCircuitHold extends Pick<CircuitHoldRow, 'state' | 'isMaintenance' | 'untilMs' | 'by'> {
  now: number
}

/** Holds a circuit, and ends earlier holds of it. `state: null` releases it. */
export async function addCircuitHold(
  db: Database,
  key: CircuitKey,
  { state, isMaintenance, untilMs, by, now }: NewCircuitHold,
): Promise<void> {
  const columns = { ...tenantColumns(key), system: key.circuit }
  await withinTransaction(db, async (transaction) => {
    await transaction
      .updateTable('directives')
      .set({ until: ENDED })
      .where('kind', '=', 'hold')
      .where('tenant_id', '=', columns.tenant_id)
      .where('mode', '=', columns.mode)
      .where('system', '=', columns.system)
      .where('until', '>', ENDED)
      .execute()
    await transaction
      .insertInto('directives')
      .values({
        ...noValues,
        ...columns,
        directive_id: randomUUID(),
        kind: 'hold',
        state,
        reason: isMaintenance ? 'maintenance' : null,
        by,
        created_at: iso(now),
        until: iso(untilMs),
      })
      .execute()
  })
}

/** Makes every process purge its caches. */
export async function addCachePurge(
  db: Database,
  { merchant, mode, skus, by, now }: Omit<CachePurgeRow, 'id'> & { now: number },
): Promise<void> {
  await db
    .insertInto('directives')
    .values({
      ...noValues,
      directive_id: randomUUID(),
      kind: 'purge',
      tenant_id: merchant,
      mode,
      skus: skus && JSON.stringify(skus),
      by,
      created_at: iso(now),
    })
    .execute()
}

/** Returns the holds and purges since an instant, and the holds that are still in force; the oldest first. */
export async function readHoldsAndPurgesSince(
  db: Database,
  sinceMs: number,
  now: number,
): Promise<{ holds: CircuitHoldRow[]; purges: CachePurgeRow[] }> {
  const rows = await db
    .selectFrom('directives')
    .selectAll()
    .where((eb) => eb.or([eb('created_at', '>=', iso(sinceMs)), eb('until', '>', iso(now))]))
    .orderBy('created_at')
    .orderBy('directive_id')
    .execute()
  return {
    holds: rows.flatMap((row) => (row.kind === 'hold' ? [toHold(row)] : [])),
    purges: rows.flatMap((row) => (row.kind === 'purge' ? [toPurge(row)] : [])),
  }
}

type Row = Selectable<OperatorTables['directives']>

const toHold = (row: Row): CircuitHoldRow => ({
  id: row.directive_id,
  merchant: row.tenant_id!,
  mode: row.mode!,
  circuit: row.system as CircuitName,
  state: row.state,
  ...(row.reason === 'maintenance' && { isMaintenance: true }),
  by: row.by,
  untilMs: Date.parse(row.until!),
})

const toPurge = (row: Row): CachePurgeRow => ({
  id: row.directive_id,
  merchant: row.tenant_id,
  mode: row.mode,
  by: row.by,
  skus: row.skus === null ? null : (JSON.parse(row.skus) as string[]),
})
