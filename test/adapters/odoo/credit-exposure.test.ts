import { expect } from 'chai'
import type { Rpc, Search } from '../../../adapters/odoo/client/rpc.ts'
import { readCreditExposure } from '../../../adapters/odoo/orders/credit-exposure.ts'
import type { Decision } from '../../../adapters/odoo/orders/order-attachments.ts'
import { createCall } from '../../support/create-call.ts'

const own = {
  id: 9,
  state: 'draft',
  amount_total: 10,
  amount_tax: 0,
  amount_invoiced: 0,
  partner_id: { id: 6, commercial_partner_id: { id: 6, credit: 0, credit_limit: 1000 } },
}
const pending = (orderId: number) => ({ orderId, amount: '400.00' })

describe('odoo: credit exposure', () => {
  it('counts an accepted draft, but not one that staff deleted', async () => {
    const records = [{ ...own, id: 8 }, own]
    const rpc = { search: async () => ({ length: 2, records }) } as unknown as Rpc
    const last = { log: { number: 3, pending: [pending(7), pending(8)] } } as unknown as Decision
    const exposure = await readCreditExposure(rpc, 9, 6, last, createCall())
    expect(exposure.pending).to.deep.equal([pending(8)])
    expect(exposure.available.toFixed(2)).to.equal('600.00')
  })

  it('counts what an order has in draft invoices, which Odoo takes for invoiced', async () => {
    const billed = { ...own, id: 8, state: 'sale', amount_total: 700, amount_invoiced: 300 }
    const domains: unknown[] = []
    const search = async (_: unknown, __: string, { domain }: Search) => {
      domains.push(domain)
      return { length: 2, records: [billed, own] }
    }
    const exposure = await readCreditExposure({ search } as unknown as Rpc, 9, 6, null, createCall())
    expect(exposure.available.toFixed(2)).to.equal('600.00')
    expect(domains).to.deep.equal([
      [
        ...['|', ['id', 'in', [9]], '&', ['partner_id', 'child_of', [6]], '&', ['state', '=', 'sale']],
        ...['|', ['invoice_status', '!=', 'invoiced'], ['order_line.invoice_lines.parent_state', '=', 'draft']],
      ],
    ])
  })

  it('does not set what is invoiced beyond an order off against another order', async () => {
    const over = { ...own, id: 7, state: 'sale', amount_total: 100, amount_invoiced: 300 }
    const open = { ...own, id: 8, state: 'sale', amount_total: 250 }
    const search = async () => ({ length: 3, records: [over, open, own] })
    const exposure = await readCreditExposure({ search } as unknown as Rpc, 9, 6, null, createCall())
    expect(exposure.available.toFixed(2)).to.equal('750.00')
  })
})
