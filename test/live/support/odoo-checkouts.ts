import pg from 'pg'
import { Type } from 'typebox'
import { foundShape, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import type { ForecourtProcess } from './forecourt-process.ts'
import { createLongCall } from './long-call.ts'
import { odooProcesses } from './odoo-server.ts'
import { type ComparedSale, compareSales } from './order-comparison.ts'
import { readWorkerPids } from './tryton-server.ts'

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
  const country = await rpc.call(Ids, 'res.country/search', { domain: [['code', '=', 'JM']] }, createLongCall())
  const address = { street: '12 Constant Spring Road', city: 'Kingston', country_id: country[0] }
  const vals_list = Array.from({ length: count }, (_, n) => ({
    name: `Workshop ${n + 1}`,
    is_company: true,
    use_partner_credit_limit: true,
    credit_limit: limit,
    ...address,
  }))
  return (await rpc.call(Ids, 'res.partner/create', { vals_list }, createLongCall())).map(String)
}

/** Compares the orders of customers with all of their sale orders in Odoo. */
export async function compareOdooOrders(shop: ForecourtProcess, rpc: Rpc, customers: readonly string[]) {
  const domain = [['partner_id', 'in', customers.map(Number)]]
  const { records } = await rpc.search(Sales, 'sale.order', { domain, specification }, createLongCall())
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

/** Kills workers of Odoo and ends its connections to PostgreSQL, where the environment says how. */
export async function createOdooKiller(random: SeededRandom) {
  const { pidFile, postgres } = odooProcesses()
  const pool = postgres === null ? null : new pg.Pool({ connectionString: postgres, max: 1 })
  const killed = { workers: 0, connections: 0 }
  const ways = [...(pidFile === null ? [] : [killWorker]), ...(pool === null ? [] : [endConnection])]

  async function killWorker() {
    const pids = readWorkerPids(pidFile!)
    if (pids.length === 0) return
    process.kill(random.of(pids), 'SIGKILL')
    killed.workers += 1
  }
  /** Ends one that works on a transaction, if there is one. */
  async function endConnection() {
    const { rowCount } = await pool!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       order by state = 'idle', random() limit 1`,
    )
    killed.connections += rowCount ?? 0
  }
  return {
    killed,
    kill: ways.length === 0 ? undefined : () => random.of(ways)(),
    close: async () => pool?.end(),
  }
}
