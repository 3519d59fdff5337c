import type { Database } from '../storage/database.ts'
import { processStates, putProcessState } from '../storage/process-states.ts'
import type { ProcessState } from './process-state.ts'

/** A process that says nothing for so long is not there any more. */
export const SILENT_MS = 10_000
/** So often it says that it is there, when it has nothing else to say. */
const STILL_HERE_MS = 3_000

/** Tells the other processes on a store what this one knows, when it has changed. */
export function stateWriter(db: Database, live: () => ProcessState): () => Promise<void> {
  let told = { document: '', at: 0 }
  return async () => {
    const { process, at, owners } = live()
    const document = JSON.stringify({ owners })
    if (document === told.document && at >= told.at && at - told.at < STILL_HERE_MS) return
    await putProcessState(db, { process, at: new Date(at).toISOString(), document })
    told = { document, at }
  }
}

/** What the processes of a store told last, if they are there. */
export async function statesTold(db: Database, now: number): Promise<ProcessState[]> {
  const rows = await processStates(db, new Date(now - SILENT_MS).toISOString())
  return rows.map(({ process, at, document }) => {
    const { owners } = JSON.parse(document) as Pick<ProcessState, 'owners'>
    return { process, at: Date.parse(at), owners }
  })
}
