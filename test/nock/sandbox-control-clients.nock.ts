import { expect } from 'chai'
import {
  cancelOrder,
  deliverOrder,
  listLedgerInvoices,
  rejectOrder,
  voidInvoice,
} from '../../src/sandbox/control/accounting-control-client.ts'
import { clearFaults, readCallCounts, setFault } from '../../src/sandbox/control/control-client.ts'
import {
  readStoredProduct,
  restoreProduct,
  setStock,
  updateProduct,
  withdrawProduct,
} from '../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import { mockHttp } from '../support/mock-http.ts'

const ADDRESS = 'http://127.0.0.1:8191'

describe('controlling an embedded system', () => {
  let at: ReturnType<typeof mockHttp>
  beforeEach(() => {
    at = mockHttp(ADDRESS)
  })
  afterEach(() => {
    expect(at.system.pendingMocks(), 'asked for, never sent').to.deep.equal([])
    at.end()
  })

  it('sets a fault, and clears it', async () => {
    at.system.put('/faults', { hang: true }).reply(200, { hang: true })
    at.system.delete('/faults').reply(200, {})
    await setFault(ADDRESS, { hang: true })
    await clearFaults(ADDRESS)
  })

  it('addresses records by account and SKU, escaped', async () => {
    const stock = { available: 3, expected: [{ date: '2026-12-01', quantity: 5 }] }
    at.system.put('/acme/stock/A%2FB', stock).reply(200, {})
    at.system.put('/acme/prices/A%2FB', { amount: '12.50' }).reply(200, {})
    at.system.patch('/acme/products/A%2FB', { active: false }).reply(200, { updated_at: '2026-11-21T00:00:00.000Z' })
    await setStock(ADDRESS, 'acme', 'A/B', stock)
    await setPrice(ADDRESS, 'acme', 'A/B', '12.50')
    expect(await updateProduct(ADDRESS, 'acme', 'A/B', { active: false })).to.equal('2026-11-21T00:00:00.000Z')
  })

  it('changes an order, an invoice and a product', async () => {
    const changed = { updated_at: '2026-11-21T00:00:00.000Z' }
    for (const kind of ['deliveries', 'rejections']) at.system.put(`/acme/${kind}/SO-1`, {}).reply(200, changed)
    at.system.put('/acme/cancellations/SO-1', { reason: 'OTHER' }).reply(200, changed)
    at.system.put('/acme/voids/IN-1', {}).reply(200, changed)
    at.system.get('/acme/invoices').reply(200, [changed])
    at.system.get('/acme/products/A%2FB').reply(200, changed)
    for (const active of [false, true]) at.system.patch('/acme/products/A%2FB', { active }).reply(200, changed)
    for (const act of [deliverOrder, rejectOrder, cancelOrder])
      expect(await act(ADDRESS, 'acme', 'SO-1')).to.deep.equal(changed)
    expect(await voidInvoice(ADDRESS, 'acme', 'IN-1')).to.deep.equal(changed)
    expect(await listLedgerInvoices(ADDRESS, 'acme')).to.deep.equal([changed])
    expect(await readStoredProduct(ADDRESS, 'acme', 'A/B')).to.deep.equal(changed)
    for (const act of [withdrawProduct, restoreProduct])
      expect(await act(ADDRESS, 'acme', 'A/B')).to.equal(changed.updated_at)
  })

  it('returns the counts of calls', async () => {
    at.system.get('/calls').reply(200, { searchProducts: 2 })
    expect(await readCallCounts(ADDRESS)).to.deep.equal({ searchProducts: 2 })
  })

  it('fails when the system refuses the change', async () => {
    at.system.put('/faults').reply(400, { error: 'invalid', detail: 'status is 500 to 599' })
    const failure = await setFault(ADDRESS, { status: 200 }).then(
      () => null,
      (error: Error) => error,
    )
    expect(failure).to.be.instanceOf(Error)
    expect(failure!.message).to.include('400')
  })
})
