import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { SLOW_LEDGER_DELAY_MS } from '../../src/sandbox/accounting/order-placement.ts'
import {
  deliverOrder,
  issueInvoice,
  settleInvoice,
  shipOrder,
} from '../../src/sandbox/control/accounting-control-client.ts'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import type { SandboxSystem } from '../../src/sandbox/protocol/upstream-protocol.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { until } from '../support/until.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { SEEDED_AT, startTestSystem } from './test-system.ts'

const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }
const LONG_AGO = '2020-01-01T00:00:00Z'

describe('the sandbox: change feeds', () => {
  const systems = {} as Record<SandboxSystem, RunningSystem>
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    for (const system of ['inventory', 'pricing', 'accounting'] as const)
      systems[system] = await startTestSystem({ system, directory: folder.directory })
  })

  after(async () => {
    await Promise.all(Object.values(systems).map((system) => system.stop()))
    await folder.remove()
  })

  const feeds = [
    ['inventory', '/changes/stock'],
    ['pricing', '/changes/prices'],
    ['accounting', '/changes/orders'],
    ['accounting', '/changes/invoices'],
  ] as const
  const newest = async (system: SandboxSystem, path: string) => {
    const first = (await sendRequest(systems[system], `${path}?since=2026-03-02T11:00:00Z&limit=200`)).body.data
    return first.at(-1)
  }

  for (const [system, path] of feeds) {
    it(`${path} rejects an invalid time or page`, async () => {
      for (const query of ['', '?since=', '?since=yesterday', '?since=2026-03-02', '?since=2026-13-45T99:00:00Z'])
        expect((await sendRequest(systems[system], path + query)).status, query).to.equal(400)
      for (const more of ['limit=0', 'limit=201', 'offset=-1'])
        expect((await sendRequest(systems[system], `${path}?since=${LONG_AGO}&${more}`)).status, more).to.equal(400)
      expect((await sendRequest(systems[system], `${path}?since=2026-03-01T07:00:00.5-05:00`)).status).to.equal(200)
    })
  }

  it('contain several changes of the same time', async () => {
    for (const [system, path] of feeds.slice(0, 3)) {
      const rows = (await sendRequest(systems[system], `${path}?since=${LONG_AGO}&limit=200`)).body.data as {
        updated_at: string
      }[]
      expect(new Set(rows.map(({ updated_at }) => updated_at)).size, path).to.be.lessThan(rows.length)
    }
  })

  it('show changed stock and prices, and keep receipts that were not given', async () => {
    const { inventory, pricing } = systems
    const expected = [{ date: '2026-04-01', quantity: 9 }]
    await setStock(inventory.controlAddress, 'demo', 'BP-1001', { available: 7, expected })
    await setStock(inventory.controlAddress, 'demo', 'BP-1001', { available: 3 })
    const row = await newest('inventory', '/changes/stock')
    expect([row.sku, row.stock]).to.deep.equal(['BP-1001', { available: 3, expected }])
    await setPrice(pricing.controlAddress, 'demo', 'BP-1004', '9.00')
    expect((await newest('pricing', '/changes/prices')).sku).to.equal('BP-1004')
  })

  it('show the first price of a product', async () => {
    const { controlAddress } = systems.pricing
    const { unpriced } = knownSkus
    const quoted = async () =>
      (await sendRequest(systems.pricing, '/prices', { body: { skus: [unpriced], customer_id: null } })).body.data
    expect(await quoted()).to.deep.equal([])
    const refused = await setPrice(controlAddress, 'demo', unpriced, '9.50').catch((error) => error)
    expect([refused.status, refused.detail]).to.deep.equal([404, 'this SKU has no price yet: uom is required'])
    await setPrice(controlAddress, 'demo', unpriced, '9.50', 'each')
    expect((await quoted())[0]).to.include({ sku: unpriced, amount: '9.50', uom: 'each', price_type: 'LIST' })
    expect((await newest('pricing', '/changes/prices')).sku).to.equal(unpriced)
  })

  it('show an order at every step, and its invoice', async () => {
    const { accounting } = systems
    const at = accounting.controlAddress
    const seen: string[] = []
    const orders = async () => {
      const order = await newest('accounting', '/changes/orders')
      seen.push(order.updated_at)
      return order
    }
    const body = createOrderDraft({ reference: 'ord_fed', customerId: 'C-1008', goods })
    const { order } = (await sendRequest(accounting, '/orders', { body })).body
    expect(await orders()).to.deep.equal(order)
    const { order_id } = order
    await shipOrder(at, 'demo', order_id, { lines: [{ sku: goods.sku, quantity: '1' }] })
    expect(await orders()).to.include({ order_id, status: 'PARTIALLY_SHIPPED' })
    await shipOrder(at, 'demo', order_id)
    expect(await orders()).to.include({ order_id, status: 'SHIPPED' })
    const { invoice_id } = await issueInvoice(at, 'demo', order_id)
    expect(await orders()).to.include({ order_id, invoiced: true })
    expect(await newest('accounting', '/changes/invoices')).to.include({ invoice_id, customer_id: 'C-1008' })
    await deliverOrder(at, 'demo', order_id)
    expect(await orders()).to.include({ order_id, status: 'DELIVERED' })
    await settleInvoice(at, 'demo', invoice_id)
    expect(await orders()).to.include({ order_id })
    expect(await newest('accounting', '/changes/invoices')).to.include({ invoice_id, status: 'PAID' })
    expect(new Set(seen).size).to.equal(seen.length)
    expect(seen).to.deep.equal(seen.toSorted())
    expect(await orders()).to.not.have.property('payment')
  })

  it('show an order of a slow ledger no sooner than its response', async () => {
    let ms = SEEDED_AT.getTime()
    const { directory } = folder
    const slow = await startTestSystem({
      system: 'accounting',
      directory: `${directory}/slow`,
      now: () => new Date(ms),
    })
    const body = createOrderDraft({ reference: 'ord_slow', customerId: 'C-1013', goods })
    const response = sendRequest(slow, '/orders', { body })
    const read = () => sendRequest(slow, '/orders/ord_slow?customer_id=C-1013&by=reference')
    await until('the order is stored', async () => (await read()).status === 200)
    const listReferences = async () => {
      const { data } = (await sendRequest(slow, `/changes/orders?since=${SEEDED_AT.toISOString()}`)).body
      return data.map(({ reference }: { reference: string }) => reference)
    }
    expect(await listReferences()).to.not.include('ord_slow')
    ms += SLOW_LEDGER_DELAY_MS
    expect(await listReferences()).to.include('ord_slow')
    expect((await response).body.state).to.equal('placed')
    await slow.stop()
  })

  it('omit orders of the counter', async () => {
    const { data } = (await sendRequest(systems.accounting, `/changes/orders?since=${LONG_AGO}&limit=200`)).body
    expect(new Set(data.map(({ channel }: { channel: string }) => channel))).to.deep.equal(new Set(['ECOMMERCE']))
  })
})
