import { readFileSync } from 'node:fs'

/** Returns the ids of the worker processes of the server. */
export function readWorkerPids(pidFile: string): number[] {
  const master = readFileSync(pidFile, 'utf8').trim()
  const children = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}
