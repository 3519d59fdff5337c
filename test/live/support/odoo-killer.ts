import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { odooProcesses } from './odoo-environment.ts'
import { readWorkerPids } from './worker-pids.ts'

/** The one for websockets and long polling has an argument of its own. It takes no calls of Forecourt. */
const servesHttp = (pid: number) => !readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('gevent')

/** How often a connection that has written is looked for, and how many milliseconds apart. */
const LOOKS = 400
const LOOK_EVERY_MS = 5

/**
 * Kills workers of Odoo and ends its connections to PostgreSQL in turn, where the environment says how. `killed` counts
 * what was killed, and those connections that had written something that was not committed yet.
 */
export async function createOdooKiller(random: SeededRandom) {
  const { pidFile, postgres } = odooProcesses()
  const pool = postgres === null ? null : new pg.Pool({ connectionString: postgres, max: 1 })
  const killed = { workers: 0, connections: 0, writing: 0 }
  const ways = [...(pidFile === null ? [] : [killWorker]), ...(pool === null ? [] : [endConnection])]
  let turn = 0

  async function killWorker() {
    const pids = readWorkerPids(pidFile!).filter(servesHttp)
    if (pids.length === 0) return
    process.kill(random.of(pids), 'SIGKILL')
    killed.workers += 1
  }
  /** Ends one in the middle of a transaction that writes, or any one when there is none for a while. */
  async function endConnection() {
    for (let look = 0; look < LOOKS; look += 1) {
      if (await endOne('and backend_xid is not null')) {
        killed.writing += 1
        return
      }
      await pause(LOOK_EVERY_MS)
    }
    await endOne('')
  }
  async function endOne(condition: string): Promise<boolean> {
    const { rowCount } = await pool!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() ${condition} order by random() limit 1`,
    )
    killed.connections += rowCount ?? 0
    return rowCount === 1
  }
  return {
    killed,
    kill: ways.length === 0 ? undefined : () => ways[turn++ % ways.length]!(),
    /** True when everything that may be killed was killed so often. */
    hasKilled: (times: number) =>
      (pidFile === null || killed.workers >= times) && (pool === null || killed.connections >= times),
    close: async () => pool?.end(),
  }
}
