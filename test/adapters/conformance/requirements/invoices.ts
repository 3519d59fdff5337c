import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import type { InvoiceQuery } from '../../../../src/ports/invoice.ts'
import { createCall } from '../../../support/create-call.ts'
import { AMOUNT, expectDecimal } from '../expect-decimal.ts'
import { readEveryPage } from '../read-every-page.ts'
import { requirementsOf } from '../requirement.ts'
import type { TestBench } from '../test-bench.ts'
import { UTC_TIMESTAMP } from './items.ts'

/** All invoices are overdue on the first date, and none on the second. */
const LATE = '9999-12-31'
const EARLY = '2000-01-01'

const all = ({ accounting, facts }: TestBench, query: Partial<InvoiceQuery> = {}, limit?: number) =>
  readEveryPage(async (page) => {
    const asked = { today: LATE, ...query, ...page }
    const { invoices, ...rest } = await accounting.invoices(facts.customer.customerId, asked, createCall())
    return { rows: invoices, ...rest }
  }, limit)

export const invoiceRequirements = requirementsOf(
  'accounting.invoices',
  [
    'lists invoices newest first, page by page, as a read of one returns them',
    ['accounting.invoice', 'customer', 'past'],
    async (bench) => {
      const invoices = await all(bench)
      const issued = invoices.map(({ issued_at }) => issued_at)
      expect(issued).to.deep.equal(issued.toSorted((a, b) => b.localeCompare(a)))
      expect(await all(bench, {}, 2)).to.deep.equal(invoices)
      for (const one of invoices.slice(0, 3))
        expect(
          await bench.accounting.invoice(bench.facts.customer.customerId, one.invoice_id, createCall()),
        ).to.deep.equal(one)
    },
  ],
  [
    'returns figures that add up',
    ['customer', 'past'],
    async (bench) => {
      for (const { status, total, amount_paid, balance, lines, payments, ...invoice } of await all(bench)) {
        expect(invoice.issued_at).to.match(UTC_TIMESTAMP)
        expect(invoice.due_date).to.match(/^\d{4}-\d\d-\d\d$/)
        for (const figure of [total, amount_paid, balance, invoice.subtotal, invoice.tax_total])
          expectDecimal(figure, AMOUNT)
        const sum = (values: string[]) => Decimal.sum(0, ...values).toFixed(2)
        expect(sum(lines.map(({ line_total }) => line_total))).to.equal(total)
        expect(sum(payments.map(({ amount }) => amount))).to.equal(amount_paid)
        if (status !== 'VOID') expect(sum([amount_paid, balance])).to.equal(total)
        if (status === 'PAID') expect(balance).to.equal('0.00')
      }
    },
  ],
  [
    'finds invoices that are overdue on a date, and does not call them open',
    ['customer', 'past'],
    async (bench) => {
      const { overdueInvoiceId, paidInvoiceId } = bench.facts.past
      const ids = async (query: Partial<InvoiceQuery>) => (await all(bench, query)).map(({ invoice_id }) => invoice_id)
      expect(await ids({ status: 'OVERDUE' })).to.include(overdueInvoiceId)
      expect(await ids({ status: 'OVERDUE', today: EARLY })).to.deep.equal([])
      expect(await ids({ status: 'OPEN', today: EARLY })).to.include(overdueInvoiceId)
      const { due_date } = (await all(bench)).find(({ invoice_id }) => invoice_id === overdueInvoiceId)!
      expect(await ids({ status: 'OVERDUE', today: due_date })).to.not.include(overdueInvoiceId)
      expect(await ids({ status: 'PAID' }))
        .to.include(paidInvoiceId)
        .and.not.include(overdueInvoiceId)
      for (const status of ['PARTIALLY_PAID', 'PAID', 'VOID'] as const)
        for (const invoice of await all(bench, { status, today: EARLY })) expect(invoice.status).to.equal(status)
    },
  ],
  [
    'tells credit notes from invoices, and has positive amounts for both',
    ['accounting.invoice', 'customer', 'past', 'creditNoteId'],
    async (bench) => {
      const { customer, past, creditNoteId } = bench.facts
      const invoices = await all(bench)
      const read = async (id: string) => (await bench.accounting.invoice(customer.customerId, id, createCall()))!
      for (const [id, type] of [
        [creditNoteId, 'CREDIT_NOTE'],
        [past.paidInvoiceId, 'INVOICE'],
      ] as const) {
        const own = await read(id)
        expect(own.type).to.equal(type)
        expect(Number(own.total), own.total).to.be.above(0)
        expect(invoices.find(({ invoice_id }) => invoice_id === id)).to.deep.equal(own)
      }
    },
  ],
  [
    'finds the invoices of an order, and treats those of another customer as absent',
    ['accounting.invoice', 'customer', 'past'],
    async (bench) => {
      const { accounting, facts } = bench
      const { customerId, otherId } = facts.customer
      const paid = (await accounting.invoice(customerId, facts.past.paidInvoiceId, createCall()))!
      expect(paid).to.include({ status: 'PAID', balance: '0.00', amount_paid: paid.total })
      const invoices = await all(bench, { order_id: paid.order_id! })
      expect(invoices.map(({ invoice_id }) => invoice_id)).to.include(paid.invoice_id)
      expect(new Set(invoices.map(({ order_id }) => order_id))).to.deep.equal(new Set([paid.order_id]))
      for (const who of [otherId, facts.unknownCustomerId, 'no such/customer']) {
        expect(await accounting.invoice(who, paid.invoice_id, createCall()), who).to.equal(null)
        const page = await accounting.invoices(
          who,
          { limit: 200, offset: 0, today: LATE, order_id: paid.order_id! },
          createCall(),
        )
        expect(page.invoices).to.deep.equal([])
      }
      for (const stranger of ['no such/invoice', '0', '%'])
        expect(await accounting.invoice(customerId, stranger, createCall())).to.equal(null)
    },
  ],
)
