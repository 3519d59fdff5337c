import type { Database } from '../../storage/database.ts'
import { findProcessStartBefore, listProcessStarts, type ProcessStart } from '../../storage/diagnostics/process-runs.ts'

/** A start of the server: a deployment, a changed configuration or a restart. */
export interface ServerStart {
  atMs: number
  /** How many processes started then. */
  processes: number
  version: string
  /** The version before; `null`: the same, or not known. */
  previousVersion: string | null
  isConfigChanged: boolean
  /** No earlier start is stored. */
  isFirst: boolean
}

/** Processes that start one after the other within this time are one start: the workers of a server, or machines that are updated in turn. */
export const START_MS = 60_000
/** Of a server that cannot stay up, the latest starts are returned. */
const MAX_STARTS = 30

/** Lists the starts of the server in a period, the oldest first. */
export async function listServerStarts(
  db: Database,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<ServerStart[]> {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  const starts = await listProcessStarts(db, { from, to })
  const [first] = starts
  if (!first) return []
  let previous = await findProcessStartBefore(db, first.at)
  const all = groupStarts(starts).map((group) => {
    const start = toServerStart(group, previous)
    previous = group.at(-1)
    return start
  })
  return all.slice(-MAX_STARTS)
}

function groupStarts(starts: readonly ProcessStart[]): ProcessStart[][] {
  const groups: ProcessStart[][] = []
  for (const start of starts) {
    const group = groups.at(-1)
    if (group && Date.parse(start.at) - Date.parse(group.at(-1)!.at) <= START_MS) group.push(start)
    else groups.push([start])
  }
  return groups
}

function toServerStart(group: readonly ProcessStart[], previous: ProcessStart | undefined): ServerStart {
  const { version, config_digest } = group.at(-1)!
  return {
    atMs: Date.parse(group[0]!.at),
    processes: group.length,
    version,
    previousVersion: previous && previous.version !== version ? previous.version : null,
    isConfigChanged: previous !== undefined && previous.config_digest !== config_digest,
    isFirst: previous === undefined,
  }
}
