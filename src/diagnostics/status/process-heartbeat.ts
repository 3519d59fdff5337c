import type { Database } from '../../storage/database.ts'
import { listProcessStates, upsertProcessState } from '../../storage/diagnostics/process-states.ts'
import type { ProcessState, TenantState } from './process-state.ts'

/** A process that says nothing for so long is not there any more. */
export const PROCESS_EXPIRY_MS = 10_000
/** So often it says that it is there, when it has nothing else to say. */
const STILL_HERE_MS = 3_000
/** So often it says that it has only counted on: with many merchants that is much to write, and nobody is told of anything new. */
const COUNTED_MS = 2_000

/** Tells the other processes on a store what this one knows: at once what is new, other counts a little later. */
export function createHeartbeatWriter(db: Database, live: () => ProcessState): () => Promise<void> {
  let told = { document: '', news: '', at: 0 }
  return async () => {
    const { process, at, owners } = live()
    const ageMs = at - told.at
    const news = newsOf(owners)
    if (news === told.news && ageMs >= 0 && ageMs < COUNTED_MS) return
    const document = JSON.stringify({ owners })
    if (document === told.document && ageMs >= 0 && ageMs < STILL_HERE_MS) return
    await upsertProcessState(db, { process, at: new Date(at).toISOString(), document })
    told = { document, news, at }
  }
}

/** Who asks, which circuits are open and what is degraded: without how often. */
function newsOf(owners: readonly TenantState[]): string {
  return owners
    .map(({ tenant, mode, systems, shown }) => {
      const open = systems.filter((one) => one.open).map(({ system }) => system)
      const degraded = shown.map(
        ({ route, section, system, refused, missing, stale }) =>
          `${route} ${section} ${system} ${refused > 0} ${missing > 0} ${stale > 0}`,
      )
      return `${tenant}/${mode} ${open.join()} ${degraded.join()}`
    })
    .join('\n')
}

/** What the processes of a store told last, if they are there. */
export async function readLiveProcessStates(db: Database, now: number): Promise<ProcessState[]> {
  const rows = await listProcessStates(db, new Date(now - PROCESS_EXPIRY_MS).toISOString())
  return rows.map(({ process, at, document }) => {
    const { owners } = JSON.parse(document) as Pick<ProcessState, 'owners'>
    return { process, at: Date.parse(at), owners }
  })
}
