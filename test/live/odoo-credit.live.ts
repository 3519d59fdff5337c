import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { Type } from 'typebox'
import { readCreditExposure } from '../../adapters/odoo/orders/credit-exposure.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { createCall } from '../support/create-call.ts'
import { createDraftInvoices, createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const GOODS = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }

describe('odoo: credit of a real server', function () {
  this.timeout(600_000)
  const { storefront, clerk } = odooAccess()
  const desk = connectOdooClerk(clerk)
  const { accounting, close } = connectOdooPorts(storefront)
  after(async () => {
    await close()
    await desk.close()
  })

  it('is spent by an order without an invoice, with a draft invoice, and with a posted one', async () => {
    const find = createFinder(desk.rpc)
    const customerId = String(await find('res.partner', [['email', '=', 'Orders@hwtgarage.example']]))
    const paid = await find('sale.order', [['origin', '=', 'ECOMMERCE ord_demo0paid']])
    /** Reads what shoppers see, and what is left for another order. */
    async function read() {
      const credit = (await accounting.credit!(customerId, createCall()))!
      const { available } = await readCreditExposure(desk.rpc, paid, Number(customerId), null, createCall())
      return { ...credit, left: available.toFixed(2) }
    }
    const before = await read()
    const draft = createOrderDraft({ reference: `ord_${randomUUID().slice(0, 12)}`, customerId, goods: GOODS })
    const result = await accounting.placeOrder!(draft, createCall())
    if (result.state !== 'placed') throw new Error(`refused: ${result.reason}`)
    const { order_id } = result.order
    const total = Number(draft.totals.total)
    const left = (Number(before.available_credit) - total).toFixed(2)
    const spent = { available_credit: left, left }

    const open = { open_orders: (Number(before.open_orders) + total).toFixed(2), balance: before.balance }
    expect(await read()).to.include({ ...open, ...spent })

    const ids = await createDraftInvoices(desk.rpc, order_id)
    expect(ids).to.have.lengthOf(1)
    expect(await read()).to.include({ ...open, ...spent })

    await desk.rpc.call(Anything, 'account.move/action_post', { ids }, createCall())
    const balance = (Number(before.balance) + total).toFixed(2)
    expect(await read()).to.include({ open_orders: before.open_orders, balance, ...spent })
  })
})
