import { expect } from 'chai'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { listLedgerOrders, readLedgerCredit } from '../../../src/sandbox/control/accounting-control-client.ts'
import { clearFaults, setFault } from '../../../src/sandbox/control/control-client.ts'
import { createSeededRandom } from '../../../src/sandbox/control/seeded-random.ts'
import type { RunningSystem } from '../../../src/sandbox/start-system.ts'
import { createTempFolder } from '../../sandbox/temp-folder.ts'
import { startTestSystem } from '../../sandbox/test-system.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { respondJson, startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { until } from '../../support/until.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { connectPorts, disconnectAll } from './ports.ts'

const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }
const draft = (reference: string, customerId = 'C-1008') => createOrderDraft({ reference, customerId, goods })

describe('rest: orders with lost responses', () => {
  let ledger: RunningSystem
  let port: Required<AccountingPort>
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    ledger = await startTestSystem({ system: 'accounting', directory: folder.directory, random: createSeededRandom(7) })
    port = connectPorts(`${ledger.address}/demo`).accounting as Required<AccountingPort>
  })

  afterEach(() => clearFaults(ledger.controlAddress))

  after(async () => {
    await ledger.stop()
    await disconnectAll()
    await folder.remove()
  })

  /** Retries until there is a response, as a client does after a crash. */
  async function insist(reference: string) {
    for (let attempt = 1; ; attempt++) {
      const answer = await port.placeOrder(draft(reference), createCall()).catch((error) => {
        expect(error.failure).to.equal('unavailable')
      })
      if (answer) return { answer, attempt }
    }
  }

  it('are created once, however often they are sent', async () => {
    await setFault(ledger.controlAddress, { drop_after: 0.6, only: ['placeOrder'] })
    const references = Array.from({ length: 20 }, (_, i) => `ord_lost${i}`)
    const asked = await Promise.all(references.flatMap((reference) => [insist(reference), insist(reference)]))
    expect(Math.max(...asked.map(({ attempt }) => attempt))).to.be.greaterThan(2)
    expect(asked.every(({ answer }) => answer.state === 'placed')).to.equal(true)
    const orders = await listLedgerOrders(ledger.controlAddress, 'demo')
    expect(orders.flatMap(({ reference }) => reference ?? []).sort()).to.deep.equal(references.toSorted())
    expect((await readLedgerCredit(ledger.controlAddress, 'demo', 'C-1008')).open_orders).to.equal('81420.00')
  })

  it('are found by their reference when only the response was late', async () => {
    await setFault(ledger.controlAddress, { late_ms: 60_000, only: ['placeOrder'] })
    const leaving = new AbortController()
    const late = failureOf(port.placeOrder(draft('ord_late'), createCall({ signal: leaving.signal })))
    let found = null
    while (!found) found = await port.order('C-1008', { reference: 'ord_late' }, createCall())
    leaving.abort()
    expect((await late).failure).to.equal('aborted')
    await clearFaults(ledger.controlAddress)
    expect(await port.placeOrder(draft('ord_late'), createCall())).to.deep.equal({ state: 'placed', order: found })
  })

  it('succeed at the second attempt with a slow ledger', async () => {
    for (const [customer, state] of [
      ['C-1013', 'placed'],
      ['C-1014', 'refused'],
    ] as const) {
      const before = ledger.calls.placeOrder ?? 0
      const leaving = new AbortController()
      const begun = performance.now()
      const first = port.placeOrder(draft(`ord_${customer}`, customer), createCall({ signal: leaving.signal })).then(
        () => performance.now() - begun,
        ({ failure }) => failure as string,
      )
      await until('the ledger has it', () => (ledger.calls.placeOrder ?? 0) > before)
      await port.customer(customer, createCall())
      const answer = await port.placeOrder(draft(`ord_${customer}`, customer), createCall())
      leaving.abort()
      expect(answer.state).to.equal(state)
      // A machine that stalled may have exceeded the deadline.
      const outcome = await first
      if (typeof outcome === 'number') expect(outcome).to.be.above(4_900)
      else expect(outcome).to.equal('aborted')
    }
  })
})

describe('rest: responses with the wrong order', () => {
  after(disconnectAll)

  it('are rejected', async () => {
    await using system = await startScriptedUpstream()
    const port = connectPorts(system.address).accounting as Required<AccountingPort>
    const mine = draft('ord_x', 'C-1')
    const order = {
      ...mine,
      order_id: '1',
      order_number: '1',
      status: 'CONFIRMED',
      payment_status: 'NOT_REQUIRED',
      placed_at: '2026-03-01T10:00:00-05:00',
      updated_at: '2026-03-01T10:00:00-05:00',
      invoiced: false,
      shipments: [{ shipment_id: 's', tracking_url: 'javascript:alert(1)', shipped_at: '2026-03-02', lines: [] }],
    }
    system.script = respondJson({ ...order, margin: '9.00' })
    const read = await port.order('C-1', { order_id: '1' }, createCall())
    expect(read).to.include({ placed_at: '2026-03-01T15:00:00.000Z', reference: 'ord_x' })
    expect(read!.shipments[0]!.tracking_url).to.equal(null)
    expect(JSON.stringify(read)).to.not.include('margin')
    expect(await port.order('C-2', { order_id: '1' }, createCall())).to.equal(null)
    system.script = respondJson({ ...order, channel: 'COUNTER' })
    expect(await port.order('C-1', { order_id: '1' }, createCall())).to.equal(null)
    system.script = respondJson({
      data: [order, { ...order, customer_id: 'C-2' }, { ...order, status: 'LOST' }],
      has_more: false,
    })
    expect((await port.orders('C-1', { limit: 5, offset: 0 }, createCall())).orders).to.deep.equal([read])
    for (const wrong of [
      { state: 'placed', order: { ...order, reference: 'ord_y' } },
      { state: 'placed', order: { ...order, customer_id: 'C-2' } },
      { state: 'placed' },
      { state: 'refused', reason: 'MOOD' },
      { state: 'perhaps' },
    ]) {
      system.script = respondJson(wrong)
      expect((await failureOf(port.placeOrder(mine, createCall()))).failure, JSON.stringify(wrong)).to.equal('invalid')
    }
    system.script = respondJson({ error: 'not_found' }, 404)
    expect((await failureOf(port.placeOrder(mine, createCall()))).failure).to.equal('rejected')
  })
})
