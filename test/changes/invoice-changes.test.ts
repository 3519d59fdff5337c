import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import type { InvoiceChange } from '../../src/ports/invoice.ts'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { createFakeSystems, createTestFeed, type FakeSystems, readEventData, readEventLines } from './fake-systems.ts'

for (const store of stores()) {
  describe(`following invoices on ${store.name}`, () => {
    let db: Database
    let world: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      world = createFakeSystems()
    })
    afterEach(() => store.close())

    function issue(id: string, change: Partial<InvoiceChange> = {}): InvoiceChange {
      const invoice: InvoiceChange = {
        ...{ invoice_id: id, invoice_number: `N-${id}`, order_id: 'SO-1', order_reference: 'ord_1', order_number: '1' },
        ...{ po_number: null, type: 'INVOICE', status: 'OPEN', issued_at: '2026-03-02T00:00:00.000Z' },
        ...{ due_date: '2026-03-05', terms: 'NET3', currency: 'JMD', lines: [], taxes: [], subtotal: '10.00' },
        ...{ tax_total: '0.00', total: '10.00', amount_paid: '0.00', balance: '10.00', payments: [] },
        ...{ billing_address: null, customer_id: 'C-1', updated_at: world.at(), ...change },
      }
      world.invoices.rows.push(invoice)
      return invoice
    }
    function change(id: string, to: Partial<InvoiceChange>) {
      world.now += 1_000
      Object.assign(world.invoices.rows.find(({ invoice_id }) => invoice_id === id)!, { updated_at: world.at(), ...to })
    }
    async function rounds(feed: { tick(): Promise<void> }) {
      await feed.tick()
      world.now += 6_000
      await feed.tick()
    }

    it('tells of what is issued and paid, under the id that the order has here', async () => {
      await using feed = createTestFeed(db, world)
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

    it('tells of a payment after a change whose time was far in the future', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      issue('1', { updated_at: '2199-01-01T00:00:00.000Z' })
      await rounds(feed)
      change('1', { status: 'PAID' })
      await rounds(feed)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.paid 1'])
    })

    it('tells of both, in order, when an invoice is issued and paid between two looks', async () => {
      await using feed = createTestFeed(db, world)
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

    it('tells of an invoice that a new day makes overdue, once, though nobody touched it', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      issue('1')
      await rounds(feed)
      world.today = '2026-03-05'
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1'])
      world.today = '2026-03-06'
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.overdue 1'])
      expect((await readEventData(db, 'invoice.overdue'))[0]).to.include({ status: 'OVERDUE', days_overdue: 1 })
      change('1', { status: 'PARTIALLY_PAID' })
      await rounds(feed)
      change('1', { status: 'PAID' })
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['invoice.issued 1', 'invoice.overdue 1', 'invoice.paid 1'])
    })

    it('tells of no overdue invoice that was paid on the last day, or cannot be read yet', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      const paid = issue('1')
      issue('2')
      issue('3')
      await rounds(feed)
      const read = world.invoice
      world.today = '2026-03-06'
      world.invoices.meanwhile = () => Promise.reject(new UpstreamError('timeout', 'slow'))
      world.invoice = (customerId, id) =>
        id === '2' ? Promise.reject(new UpstreamError('invalid', 'nonsense')) : read(customerId, id)
      Object.assign(paid, { status: 'PAID' })
      await rounds(feed)
      expect((await readEventLines(db)).slice(3).sort()).to.deep.equal(['invoice.overdue 3', 'invoice.paid 1'])
      world.invoice = read
      await rounds(feed)
      expect(await readEventLines(db)).to.include('invoice.overdue 2')
    })

    it('says nothing of what was there before, until something happens to it', async () => {
      issue('OVERDUE', { due_date: '2026-02-01' })
      issue('OPEN', { issued_at: '2026-01-01T00:00:00.000Z' })
      issue('PAID', { status: 'PAID' })
      await using feed = createTestFeed(db, world)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([])
      change('OVERDUE', { status: 'VOID' })
      world.today = '2026-03-06'
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(['invoice.overdue OPEN', 'invoice.voided OVERDUE'])
    })

    it('calls no credit note overdue or paid', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      issue('1', { type: 'CREDIT_NOTE' })
      issue('2', { type: 'CREDIT_NOTE', status: 'PAID' })
      await rounds(feed)
      world.today = '2026-03-09'
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
