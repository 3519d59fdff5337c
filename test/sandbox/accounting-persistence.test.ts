import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { StoredInvoice } from '../../src/sandbox/accounting/invoice-store.ts'
import {
  issueInvoice,
  listLedgerOrders,
  readLedgerCredit,
  setCreditLimit,
  settleInvoice,
} from '../../src/sandbox/control/accounting-control-client.ts'
import { setFault } from '../../src/sandbox/control/control-client.ts'
import type { Invoice } from '../../src/sandbox/protocol/invoice-operations.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }
const draft = (reference: string, customerId = 'C-1008') => createOrderDraft({ reference, customerId, goods })

describe('the sandbox: persistence of the accounting system', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  beforeEach(async () => {
    folder = await createTempFolder()
  })

  afterEach(() => folder.remove())

  it('returns the same result for each reference after a restart', async () => {
    const { directory } = folder
    const bodies = [draft('ord_1'), draft('ord_2', 'C-1006')]
    const first = await startTestSystem({ system: 'accounting', directory })
    const before = await Promise.all(bodies.map((body) => sendRequest(first, '/orders', { body })))
    const { updated_at } = await issueInvoice(first.controlAddress, 'demo', before[0]!.body.order.order_id)
    const person = { reference: 'p', email: 'p@b.example', first_name: 'P', last_name: 'Q', company: null, phone: null }
    const made = await sendRequest(first, '/customers', { body: person })
    const creditBefore = await readLedgerCredit(first.controlAddress, 'demo', 'C-1008')
    await first.stop()

    const second = await startTestSystem({ system: 'accounting', directory })
    const after = await Promise.all(bodies.map((body) => sendRequest(second, '/orders', { body })))
    const [placed, now] = [before[0]!.body.order, after[0]!.body.order]
    expect(now).to.deep.equal({ ...placed, invoiced: true, updated_at: now.updated_at })
    expect(now.updated_at > placed.updated_at && updated_at >= placed.updated_at).to.equal(true)
    expect(after[1]!.body).to.deep.equal(before[1]!.body)
    expect((await sendRequest(second, '/customers', { body: person })).body).to.deep.equal(made.body)
    expect(await readLedgerCredit(second.controlAddress, 'demo', 'C-1008')).to.deep.equal(creditBefore)
    const next = await sendRequest(second, '/orders', { body: draft('ord_3') })
    expect(next.body.order.order_number).to.equal('SO-200002')
    await second.stop()
  })

  it('loses and duplicates no order when it is killed', async () => {
    const options = {
      directory: folder.directory,
      accounts: ['demo'],
      only: ['accounting' as const],
      ports: { inventory: 0, pricing: 0, accounting: 0 },
    }
    const backOffice = await startSandbox(options)
    const [ledger] = backOffice.systems
    await setFault(ledger!.controlAddress, { drop_after: 0.5 })
    const bodies = Array.from({ length: 40 }, (_, i) => draft(`ord_k${i}`))
    const orderIds: string[] = []
    let killed = false
    const placing = bodies.map(async (body) => {
      const answer = await sendRequest(ledger!, '/orders', { body }).catch(() => null)
      if (answer?.status === 200) orderIds.push(answer.body.order.order_id)
      if (killed || orderIds.length < 5) return
      killed = true
      process.kill(ledger!.pid, 'SIGKILL')
    })
    await Promise.all(placing)
    expect(killed).to.equal(true)
    await backOffice.stop()

    const again = await startTestSystem({ system: 'accounting', directory: folder.directory })
    const stored = new Set((await listLedgerOrders(again.controlAddress, 'demo')).map(({ order_id }) => order_id))
    for (const id of orderIds) expect(stored, id).to.include(id)
    await Promise.all(bodies.map((body) => sendRequest(again, '/orders', { body })))
    const orders = await listLedgerOrders(again.controlAddress, 'demo')
    const references = orders.flatMap(({ reference }) => reference ?? [])
    expect(references.sort()).to.deep.equal(bodies.map(({ reference }) => reference).sort())
    await again.stop()
  })

  it('keeps the state of an older version, and adds new documents', async () => {
    const { directory } = folder
    const first = await startTestSystem({ system: 'accounting', directory })
    await first.stop()
    const file = new DatabaseSync(join(directory, 'demo', 'accounting.db'))
    file.exec(`DELETE FROM documents WHERE kind NOT IN ('goods', 'taxes', 'customers');
      UPDATE documents SET body = '{"tax":"EXEMPT"}' WHERE kind = 'goods' AND key = 'BP-1001';
      UPDATE documents SET body = '{"customer_id":"C-1001","email":"x"}' WHERE kind = 'customers' AND key = 'C-1001';
      PRAGMA user_version = 1`)
    file.close()
    const second = await startTestSystem({ system: 'accounting', directory })
    expect((await sendRequest(second, '/customers/C-1001')).body.addresses).to.have.lengthOf(2)
    expect((await sendRequest(second, '/orders?customer_id=C-1001')).body.total).to.be.greaterThan(10)
    const taxes = await sendRequest(second, '/taxes', { body: { skus: ['BP-1001'], customer_id: null } })
    expect(taxes.body.data[0].code).to.equal('EXEMPT')
    await second.stop()
  })

  it('adds change times to older invoices, and keeps customers unchanged', async () => {
    const { directory } = folder
    const first = await startTestSystem({ system: 'accounting', directory })
    const changes = async (of: RunningSystem) =>
      (await sendRequest(of, '/changes/invoices?since=2020-01-01T00:00:00Z&limit=200')).body.data
    const { order } = (await sendRequest(first, '/orders', { body: draft('ord_old') })).body
    const { invoice_id } = await issueInvoice(first.controlAddress, 'demo', order.order_id)
    await setCreditLimit(first.controlAddress, 'demo', 'C-1006', '7.00')
    const before = await changes(first)
    await first.stop()
    const file = new DatabaseSync(join(directory, 'demo', 'accounting.db'))
    file.exec(`UPDATE documents SET body = json_remove(body, '$.updated_at') WHERE kind = 'invoices';
      PRAGMA user_version = 2`)
    file.close()
    const second = await startTestSystem({ system: 'accounting', directory })
    const after = await changes(second)
    expect(after.map((row: Invoice) => row.invoice_id)).to.have.members(before.map((row: Invoice) => row.invoice_id))
    const undated = ({ updated_at: _, ...row }: StoredInvoice) => row
    const byId = (rows: StoredInvoice[]) => new Map(rows.map((row) => [row.invoice_id, row]))
    for (const [id, row] of byId(after)) {
      expect(undated(row), id).to.deep.equal(undated(byId(before).get(id)!))
      expect(row.updated_at, id).to.equal(row.payments[0]?.paid_at ?? row.issued_at)
    }
    expect((await readLedgerCredit(second.controlAddress, 'demo', 'C-1006')).credit_limit).to.equal('7.00')
    const paid = await settleInvoice(second.controlAddress, 'demo', invoice_id)
    expect((await changes(second)).at(-1)).to.deep.equal(paid)
    await second.stop()
  })
})
