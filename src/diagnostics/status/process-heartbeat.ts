import type { Database } from '../../storage/database.ts'
import { listProcessStates, PROCESS_EXPIRY_MS, upsertProcessState } from '../../storage/diagnostics/process-states.ts'
import type { ProcessState, TenantState } from './process-state.ts'

/** How often an unchanged state is written. */
const HEARTBEAT_MS = 3_000
/** How often a state is written if only its counts have changed: with many merchants, a state is large. */
const COUNTS_MS = 2_000

/** Returns a function that stores this process's state for the others: at once when something happened, less often when only counts changed. */
export function createHeartbeatWriter(db: Database, processState: () => ProcessState): () => Promise<void> {
  let written = { document: '', condition: '', at: 0 }
  return async () => {
    const { process, at, owners, failing } = processState()
    const ageMs = at - written.at
    const condition = `${describeCondition(owners)}\n${JSON.stringify(failing)}`
    if (condition === written.condition && ageMs >= 0 && ageMs < COUNTS_MS) return
    const document = JSON.stringify({ owners, failing })
    if (document === written.document && ageMs >= 0 && ageMs < HEARTBEAT_MS) return
    await upsertProcessState(db, { process, at: new Date(at).toISOString(), document })
    written = { document, condition, at }
  }
}

/** Describes which tenants have requests, which circuits are open and what is degraded, without counts. */
function describeCondition(tenants: readonly TenantState[]): string {
  return tenants
    .map(({ tenant, mode, systems, shown }) => {
      const openSystems = systems.filter(({ open }) => open).map(({ system }) => system)
      const degraded = shown.map(
        ({ route, section, system, refused, missing, stale }) =>
          `${route} ${section} ${system} ${refused > 0} ${missing > 0} ${stale > 0}`,
      )
      return `${tenant}/${mode} ${openSystems.join()} ${degraded.join()}`
    })
    .join('\n')
}

/** Reads the last state of each process that is alive. */
export async function readLiveProcessStates(db: Database, now: number): Promise<ProcessState[]> {
  const rows = await listProcessStates(db, new Date(now - PROCESS_EXPIRY_MS).toISOString())
  return rows.map(({ process, at, document }) => {
    const { owners, failing } = JSON.parse(document) as Pick<ProcessState, 'owners' | 'failing'>
    return { process, at: Date.parse(at), owners, ...(failing && { failing }) }
  })
}
