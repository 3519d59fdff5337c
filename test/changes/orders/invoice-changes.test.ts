import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import type { InvoiceChange } from '../../../src/ports/invoice.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventData, readEventLines } from '../read-events.ts'
import { createTestFeed } from '../test-feed.ts'

for (const store of stores()) {
  describe(`invoice changes on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
    })
    afterEach(() => store.close())

    function issue(id: string, change: Partial<InvoiceChange> = {}): InvoiceChange {
      const invoice: InvoiceChange = {
        invoice_id: id,
        invoice_number: `N-${id}`,
        order_id: 'SO-1',
        order_reference: 'ord_1',
        order_number: '1',
        po_number: null,
        type: 'INVOICE',
        status: 'OPEN',
        issued_at: '2026-03-02T00:00:00.000Z',
        due_date: '2026-03-05',
        terms: 'NET3',
        currency: 'JMD',
        lines: [],
        taxes: [],
        subtotal: '10.00',
        tax_total: '0.00',
        total: '10.00',
        amount_paid: '0.00',
        balance: '10.00',
        payments: [],
        billing_address: null,
        customer_id: 'C-1',
        updated_at: systems.at(),
        ...change,
      }
      systems.invoices.rows.push(invoice)
      return invoice
    }
    function change(id: string, to: Partial<InvoiceChange>) {
      systems.now += 1_000
      Object.assign(systems.invoices.rows.find(({ invoice_id }) => invoice_id === id)!, {
        updated_at: systems.at(),
        ...to,
      })
    }
    async function rounds(feed: { tick(): Promise<void> }) {
      await feed.tick()
      systems.now += 6_000
      await feed.tick()
    }

    it('reports issued and paid invoices with the id that the order has here', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      issue('1')
      await rounds(feed)
      change('1', { status: 'PARTIALLY_PAID', amount_paid: '4.00', balance: '6.00' })
      await rounds(feed)
      change('1', { status: 'PAID', amount_paid: '10.00', balance: '0.00' })
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.paid 1'])
      const [data] = await readEventData(db, 'invoice.issued')
      expect(data).to.include({
        invoice_id: '1',
        order_id: 'ord_1',
        customer_id: 'C-1',
        status: 'OPEN',
        days_overdue: 0,
      })
      expect(data).to.not.have.property('lines')
    })

    it('reports a payment after a change whose time is far in the future', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      issue('1', { updated_at: '2199-01-01T00:00:00.000Z' })
      await rounds(feed)
      change('1', { status: 'PAID' })
      await rounds(feed)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.paid 1'])
    })

    it('reports both, in order, when an invoice is issued and paid between two rounds', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      issue('1', { status: 'PAID' })
      issue('2', { status: 'VOID' })
      await rounds(feed)
      expect((await readEventLines(db)).filter((line) => line.endsWith('1'))).to.deep.equal([
        'invoice.issued 1',
        'invoice.paid 1',
      ])
      expect((await readEventLines(db)).filter((line) => line.endsWith('2'))).to.deep.equal([
        'invoice.issued 2',
        'invoice.voided 2',
      ])
    })

    it('reports once that an unchanged invoice becomes overdue on a new day', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      issue('1')
      await rounds(feed)
      systems.today = '2026-03-05'
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1'])
      systems.today = '2026-03-06'
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.overdue 1'])
      expect((await readEventData(db, 'invoice.overdue'))[0]).to.include({ status: 'OVERDUE', days_overdue: 1 })
      change('1', { status: 'PARTIALLY_PAID' })
      await rounds(feed)
      change('1', { status: 'PAID' })
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.overdue 1', 'invoice.paid 1'])
    })

    it('does not report an invoice as overdue that was paid on the last day, or cannot be read', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const paid = issue('1')
      issue('2')
      issue('3')
      await rounds(feed)
      const read = systems.invoice
      systems.today = '2026-03-06'
      systems.invoices.beforeResponse = () => Promise.reject(new UpstreamError('timeout', 'slow'))
      systems.invoice = (customerId, id) =>
        id === '2' ? Promise.reject(new UpstreamError('invalid', 'nonsense')) : read(customerId, id)
      Object.assign(paid, { status: 'PAID' })
      await rounds(feed)
      expect((await readEventLines(db)).slice(3).sort()).to.deep.equal(['invoice.overdue 3', 'invoice.paid 1'])
      systems.invoice = read
      await rounds(feed)
      expect(await readEventLines(db)).to.include('invoice.overdue 2')
    })

    it('reports nothing about existing invoices until they change', async () => {
      issue('OVERDUE', { due_date: '2026-02-01' })
      issue('OPEN', { issued_at: '2026-01-01T00:00:00.000Z' })
      issue('PAID', { status: 'PAID' })
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([])
      change('OVERDUE', { status: 'VOID' })
      systems.today = '2026-03-06'
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(['invoice.overdue OPEN', 'invoice.voided OVERDUE'])
    })

    it('does not report a credit note as overdue or paid', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      issue('1', { type: 'CREDIT_NOTE' })
      issue('2', { type: 'CREDIT_NOTE', status: 'PAID' })
      await rounds(feed)
      systems.today = '2026-03-09'
      await rounds(feed)
      change('1', { status: 'VOID' })
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal([
        'invoice.issued 1',
        'invoice.issued 2',
        'invoice.voided 1',
      ])
    })
  })
}
