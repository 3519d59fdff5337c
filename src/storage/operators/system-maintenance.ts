import { circuitsOf, toCircuitSystem } from '../../ports/circuit-name.ts'
import type { PortName } from '../../ports/system.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { withinTransaction } from '../transact.ts'
import { addCircuitHold, readHoldsAndPurgesSince } from './holds-and-purges.ts'

/** Planned maintenance of a system: until then, no calls are made to it, and nobody is alerted. */
export interface Maintenance extends Tenant {
  system: PortName
  untilMs: number
  by: string
}

/** The longest maintenance: one that is forgotten must end. */
export const MAX_MAINTENANCE_MS = 7 * 86_400_000

/** Begins maintenance of a system, its searches included. It replaces holds of its circuits, and earlier maintenance. */
export async function startMaintenance(
  db: Database,
  { merchant, mode, system, untilMs, by }: Maintenance,
  now: number,
): Promise<void> {
  const hold = { state: 'open', isMaintenance: true, untilMs, by, now } as const
  await withinTransaction(db, async (transaction) => {
    for (const circuit of circuitsOf(system)) await addCircuitHold(transaction, { merchant, mode, circuit }, hold)
  })
}

/** Ends the maintenance of a system. Returns false when there is none. */
export async function endMaintenance(
  db: Database,
  { merchant, mode, system, by }: Omit<Maintenance, 'untilMs'>,
  now: number,
): Promise<boolean> {
  return withinTransaction(db, async (transaction) => {
    const current = await listMaintenance(transaction, now)
    if (!current.some((one) => one.merchant === merchant && one.mode === mode && one.system === system)) return false
    const release = { state: null, untilMs: now, by, now }
    for (const circuit of circuitsOf(system)) await addCircuitHold(transaction, { merchant, mode, circuit }, release)
    return true
  })
}

/** Lists the maintenance that is under way, the oldest first. */
export async function listMaintenance(db: Database, now: number): Promise<Maintenance[]> {
  const { holds } = await readHoldsAndPurgesSince(db, now, now)
  return holds
    .filter(
      ({ isMaintenance, untilMs, circuit }) => isMaintenance && untilMs > now && circuit === toCircuitSystem(circuit),
    )
    .map(({ merchant, mode, circuit, untilMs, by }) => ({
      merchant,
      mode,
      system: toCircuitSystem(circuit),
      untilMs,
      by,
    }))
}
