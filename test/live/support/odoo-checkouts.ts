import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Type } from 'typebox'
import { foundShape, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { createCallWithLongDeadline } from './call-with-long-deadline.ts'
import type { ForecourtProcess } from './forecourt-process.ts'
import { odooProcesses } from './odoo-environment.ts'
import { type ComparedSale, compareSales } from './order-comparison.ts'
import { readWorkerPids } from './tryton-access.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))
const Sales = foundShape(
  Type.Object({
    id: Type.Integer(),
    origin: Type.Union([Type.String(), Type.Literal(false)]),
    partner_id: Type.Integer(),
    state: Type.String(),
    amount_total: Type.Number(),
    picking_ids: Type.Array(Type.Integer()),
    invoice_ids: Type.Array(Type.Integer()),
  }),
)
const specification = Object.fromEntries(
  ['origin', 'partner_id', 'state', 'amount_total', 'picking_ids', 'invoice_ids'].map((field) => [field, {}]),
)
/** The states of a sale as Tryton names them. */
const STATES: Record<string, string> = { sale: 'processing', cancel: 'cancelled' }

/** Creates contacts with credit. */
export const createOdooCustomers = async (rpc: Rpc, count: number, limit: number): Promise<string[]> => {
  const country = await rpc.call(
    Ids,
    'res.country/search',
    { domain: [['code', '=', 'JM']] },
    createCallWithLongDeadline(),
  )
  const address = { street: '12 Constant Spring Road', city: 'Kingston', country_id: country[0] }
  const vals_list = Array.from({ length: count }, (_, n) => ({
    name: `Workshop ${n + 1}`,
    is_company: true,
    use_partner_credit_limit: true,
    credit_limit: limit,
    ...address,
  }))
  return (await rpc.call(Ids, 'res.partner/create', { vals_list }, createCallWithLongDeadline())).map(String)
}

/** Compares the orders of customers with all of their sale orders in Odoo. */
export async function compareOdooOrders(shop: ForecourtProcess, rpc: Rpc, customers: readonly string[]) {
  const domain = [['partner_id', 'in', customers.map(Number)]]
  const { records } = await rpc.search(Sales, 'sale.order', { domain, specification }, createCallWithLongDeadline())
  const sales = records.map(
    (row): ComparedSale => ({
      web_id: row.origin ? row.origin.split(' ')[1]! : null,
      party: row.partner_id,
      state: STATES[row.state] ?? row.state,
      total_amount: { decimal: row.amount_total.toFixed(2) },
      shipments: row.picking_ids,
      invoices: row.invoice_ids,
    }),
  )
  return compareSales(shop, customers, sales)
}

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
