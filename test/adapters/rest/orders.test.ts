import { expect } from 'chai'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { clearFaults, ledgerCredit, ledgerOrders, setFault } from '../../../src/sandbox/control/control-client.ts'
import { seededRandom } from '../../../src/sandbox/control/fault-injection.ts'
import type { RunningSystem } from '../../../src/sandbox/start-system.ts'
import { scratch, start } from '../../sandbox/system-client.ts'
import { until } from '../../support/until.ts'
import { json, startUpstream } from '../../support/scripted-upstream.ts'
import { draftOf } from '../conformance/order-draft.ts'
import { disconnect, ports } from './ports.ts'
import { call, failureOf } from '../conformance/subject.ts'

const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }
const draft = (reference: string, customerId = 'C-1008') => draftOf({ reference, customerId, goods })

describe('rest: orders whose answers are lost', () => {
  let ledger: RunningSystem
  let port: Required<AccountingPort>
  let folder: Awaited<ReturnType<typeof scratch>>

  before(async () => {
    folder = await scratch()
    ledger = await start({ system: 'accounting', directory: folder.directory, random: seededRandom(7) })
    port = ports(`${ledger.address}/demo`).accounting as Required<AccountingPort>
  })

  afterEach(() => clearFaults(ledger.controlAddress))

  after(async () => {
    await ledger.stop()
    await disconnect()
    await folder.remove()
  })

  /** Asks until it is answered, as one who was killed in between would. */
  async function insist(reference: string) {
    for (let attempt = 1; ; attempt++) {
      const answer = await port.placeOrder(draft(reference), call()).catch((error) => {
        expect(error.failure).to.equal('unavailable')
      })
      if (answer) return { answer, attempt }
    }
  }

  it('are made once each, however often they are asked for', async () => {
    await setFault(ledger.controlAddress, { drop_after: 0.6, only: ['placeOrder'] })
    const references = Array.from({ length: 20 }, (_, i) => `ord_lost${i}`)
    const asked = await Promise.all(references.flatMap((reference) => [insist(reference), insist(reference)]))
    expect(Math.max(...asked.map(({ attempt }) => attempt))).to.be.greaterThan(2)
    expect(asked.every(({ answer }) => answer.state === 'placed')).to.equal(true)
    const orders = await ledgerOrders(ledger.controlAddress, 'demo')
    expect(orders.flatMap(({ reference }) => reference ?? []).sort()).to.deep.equal(references.toSorted())
    expect((await ledgerCredit(ledger.controlAddress, 'demo', 'C-1008')).open_orders).to.equal('81420.00')
  })

  it('are found by their reference when only the answer was late', async () => {
    await setFault(ledger.controlAddress, { late_ms: 60_000, only: ['placeOrder'] })
    const leaving = new AbortController()
    const late = failureOf(port.placeOrder(draft('ord_late'), call(leaving.signal)))
    let found = null
    while (!found) found = await port.order('C-1008', { reference: 'ord_late' }, call())
    leaving.abort()
    expect((await late).failure).to.equal('aborted')
    await clearFaults(ledger.controlAddress)
    expect(await port.placeOrder(draft('ord_late'), call())).to.deep.equal({ state: 'placed', order: found })
  })

  it('are answered at the second asking, and finally, by a ledger that takes its time', async () => {
    for (const [customer, state] of [
      ['C-1013', 'placed'],
      ['C-1014', 'refused'],
    ] as const) {
      const before = ledger.calls.placeOrder ?? 0
      const leaving = new AbortController()
      const begun = performance.now()
      const first = port.placeOrder(draft(`ord_${customer}`, customer), call(leaving.signal)).then(
        () => performance.now() - begun,
        ({ failure }) => failure as string,
      )
      await until('the ledger has it', () => (ledger.calls.placeOrder ?? 0) > before)
      await port.customer(customer, call())
      const answer = await port.placeOrder(draft(`ord_${customer}`, customer), call())
      leaving.abort()
      expect(answer.state).to.equal(state)
      // On a machine that stood still meanwhile, its time may have been over.
      const told = await first
      if (typeof told === 'number') expect(told).to.be.above(4_900)
      else expect(told).to.equal('aborted')
    }
  })
})

describe('rest: orders that a system answers wrongly', () => {
  after(disconnect)

  it('are not taken for ours', async () => {
    await using system = await startUpstream()
    const port = ports(system.address).accounting as Required<AccountingPort>
    const mine = draft('ord_x', 'C-1')
    const order = {
      ...{ ...mine, order_id: '1', order_number: '1', status: 'CONFIRMED', payment_status: 'NOT_REQUIRED' },
      ...{ placed_at: '2026-03-01T10:00:00-05:00', updated_at: '2026-03-01T10:00:00-05:00', invoiced: false },
      shipments: [{ shipment_id: 's', tracking_url: 'javascript:alert(1)', shipped_at: '2026-03-02', lines: [] }],
    }
    system.script = json({ ...order, margin: '9.00' })
    const read = await port.order('C-1', { order_id: '1' }, call())
    expect(read).to.include({ placed_at: '2026-03-01T15:00:00.000Z', reference: 'ord_x' })
    expect(read!.shipments[0]!.tracking_url).to.equal(null)
    expect(JSON.stringify(read)).to.not.include('margin')
    expect(await port.order('C-2', { order_id: '1' }, call())).to.equal(null)
    system.script = json({ ...order, channel: 'COUNTER' })
    expect(await port.order('C-1', { order_id: '1' }, call())).to.equal(null)
    system.script = json({
      data: [order, { ...order, customer_id: 'C-2' }, { ...order, status: 'LOST' }],
      has_more: false,
    })
    expect((await port.orders('C-1', { limit: 5, offset: 0 }, call())).orders).to.deep.equal([read])
    for (const wrong of [
      { state: 'placed', order: { ...order, reference: 'ord_y' } },
      { state: 'placed', order: { ...order, customer_id: 'C-2' } },
      { state: 'placed' },
      { state: 'refused', reason: 'MOOD' },
      { state: 'perhaps' },
    ]) {
      system.script = json(wrong)
      expect((await failureOf(port.placeOrder(mine, call()))).failure, JSON.stringify(wrong)).to.equal('invalid')
    }
    system.script = json({ error: 'not_found' }, 404)
    expect((await failureOf(port.placeOrder(mine, call()))).failure).to.equal('rejected')
  })
})
