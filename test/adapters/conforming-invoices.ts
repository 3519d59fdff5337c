import { expect } from 'chai'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import { call, failsWell, type Subject } from './subject.ts'

export function conformingInvoices(subject: () => Subject): void {
  const billing = () => {
    const { accounting, facts } = subject()
    const { customer, past } = facts
    if (!accounting?.invoices || !customer || !past) return undefined
    const port = accounting as Required<AccountingPort>
    const today = '9999-12-31'
    const list = (query: object = {}) =>
      port.invoices(customer.customerId, { limit: 200, offset: 0, today, ...query }, call())
    return { port, customer, past, list }
  }

  describe('accounting.invoices', () => {
    it('lists them newest first, and each is the one that is read alone', async () => {
      const of = billing()
      if (!of) return
      const { invoices, total } = await of.list()
      expect(total).to.equal(invoices.length)
      const issued = invoices.map(({ issued_at }) => issued_at)
      expect(issued).to.deep.equal(issued.toSorted((a, b) => b.localeCompare(a)))
      expect((await of.list({ limit: 2, offset: 1 })).invoices).to.deep.equal(invoices.slice(1, 3))
      const [first] = invoices
      expect(await of.port.invoice(of.customer.customerId, first!.invoice_id, call())).to.deep.equal(first)
    })

    it('finds those that are overdue on a day, which are then not open', async () => {
      const of = billing()
      if (!of) return
      const ids = async (query: object) => (await of.list(query)).invoices.map(({ invoice_id }) => invoice_id)
      expect(await ids({ status: 'OVERDUE' })).to.include(of.past.overdueInvoiceId)
      expect(await ids({ status: 'OPEN' })).to.deep.equal([])
      expect(await ids({ status: 'OVERDUE', today: '2000-01-01' })).to.deep.equal([])
      expect(await ids({ status: 'OPEN', today: '2000-01-01' })).to.include(of.past.overdueInvoiceId)
      expect(await ids({ status: 'PAID' })).to.include(of.past.paidInvoiceId)
    })

    it("finds those of an order, and answers another customer's as absent", async () => {
      const of = billing()
      if (!of) return
      const { customerId, otherId } = of.customer
      const paid = (await of.port.invoice(customerId, of.past.paidInvoiceId, call()))!
      expect(paid).to.include({ status: 'PAID', balance: '0.00', amount_paid: paid.total })
      const { invoices } = await of.list({ order_id: paid.order_id! })
      expect(invoices.map(({ invoice_id }) => invoice_id)).to.include(paid.invoice_id)
      expect(new Set(invoices.map(({ order_id }) => order_id))).to.deep.equal(new Set([paid.order_id]))
      expect(await of.port.invoice(otherId, paid.invoice_id, call())).to.equal(null)
      expect(await of.port.invoice(customerId, 'no such/invoice', call())).to.equal(null)
    })

    failsWell(({ accounting }, asked) => {
      const { invoice, invoices } = accounting ?? {}
      const query = { limit: 1, offset: 0, today: '2026-01-01' }
      return [invoice?.('C', 'I', asked), invoices?.('C', query, asked)].filter((asking) => asking !== undefined)
    }, subject)
  })
}
