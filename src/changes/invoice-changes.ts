import type { EventKind } from '../contract/webhook.ts'
import { UpstreamError } from '../errors.ts'
import {
  type FeedPlace,
  isNew,
  isOlder,
  isOutrun,
  type Job,
  nothingTaken,
  type Reading,
  type Source,
} from './change-source.ts'
import type { ChangedInvoice, Invoice } from '../ports/invoice.ts'
import type { Database } from '../storage/database.ts'
import { appendEvent } from '../storage/webhooks/outbox.ts'
import { clearDue, dueResources, holdResources, keepStates, type NewState } from '../storage/changes/resource-states.ts'
import { transact } from '../storage/transact.ts'
import { invoiceItem, invoiceStatus } from '../contract/invoice-view.ts'

/** What is kept of an invoice as it was last seen. */
interface InvoiceState {
  status: ReturnType<typeof invoiceStatus>
  customer_id: string
  /** Its time of change. */
  at: string
}

/** Invoices and credit notes of the ledger's, as they are issued, paid, fall due and are voided. */
export const invoiceSource = ({ office }: FeedPlace): Source<ChangedInvoice> => ({
  ...{ name: 'invoices', system: 'accounting', idOf: ({ invoice_id }) => invoice_id },
  read: (query, asking) => office.changes.invoices(query, asking),
  async take(transaction, invoices, reading) {
    await takeInvoices(transaction, invoices, reading)
    return nothingTaken
  },
})

async function takeInvoices(transaction: Database, invoices: readonly ChangedInvoice[], reading: Reading) {
  const { place, askedAt, at } = reading
  const ids = invoices.map(({ invoice_id }) => invoice_id)
  const resources = await holdResources<InvoiceState>(transaction, place.owner, 'invoice', ids, askedAt)
  const today = place.office.today()
  const states: NewState[] = []
  for (const invoice of invoices) {
    const { invoice_id, customer_id, updated_at } = invoice
    const before = resources.get(invoice_id)!
    const known = before.state
    if (known && (isOutrun(before, reading) || isOlder(updated_at, known, reading))) continue
    const told = known || isNew(invoice.issued_at, reading) ? kindsOf(known, invoice, today) : []
    for (const type of told) {
      const data = { ...invoiceItem(invoice, today), customer_id }
      const resource = { type: 'invoice' as const, id: invoice_id }
      await appendEvent(transaction, { ...place.owner, type, resource, data, at })
    }
    const status = invoiceStatus(invoice, today)
    const state: InvoiceState = { status, customer_id, at: updated_at }
    const isWaiting = invoice.type === 'INVOICE' && (status === 'OPEN' || status === 'PARTIALLY_PAID')
    states.push({ id: invoice_id, state, dueOn: isWaiting ? invoice.due_date : null })
  }
  await keepStates(transaction, place.owner, 'invoice', states, askedAt)
}

/** What there is to tell, oldest first. A credit note is neither paid nor overdue. */
function kindsOf(known: InvoiceState | null, invoice: Invoice, today: string): EventKind[] {
  const status = invoiceStatus(invoice, today)
  const kinds: EventKind[] = known ? [] : ['invoice.issued']
  if (known?.status === status || known?.status === 'VOID') return kinds
  if (status === 'VOID') kinds.push('invoice.voided')
  if (invoice.type === 'INVOICE' && status === 'PAID') kinds.push('invoice.paid')
  if (invoice.type === 'INVOICE' && status === 'OVERDUE') kinds.push('invoice.overdue')
  return kinds
}

const MOST_DUE = 200

/** Invoices that nobody touched, and that a new day makes overdue: each is read again, since it may have been paid. */
export function dueInvoices(place: FeedPlace): Job {
  const { db, now, owner, office } = place
  const instant = () => new Date(now()).toISOString()

  async function run(): Promise<void> {
    const due = await dueResources<InvoiceState>(db, owner, 'invoice', office.today(), MOST_DUE)
    for (const { id, state } of due) {
      if (!place.holds()) return
      await look(id, state)
    }
  }

  async function look(id: string, { customer_id, at: updated_at }: InvoiceState): Promise<void> {
    const askedAt = instant()
    const invoice = await read(customer_id, id)
    if (invoice === 'unreadable') return
    await transact(db, async (transaction) => {
      if (!invoice) return clearDue(transaction, owner, 'invoice', [id], office.today())
      const at = instant()
      const reading: Reading = { place, askedAt, at, baseline: false, beganAt: at }
      await takeInvoices(transaction, [{ ...invoice, customer_id, updated_at }], reading)
    })
  }

  /** One that cannot be read must not keep the others from being looked at. */
  async function read(customerId: string, id: string): Promise<Invoice | null | 'unreadable'> {
    try {
      return await office.changes.invoice(customerId, id, place.asking())
    } catch (error) {
      const { failure } = error as UpstreamError
      if (error instanceof UpstreamError && (failure === 'invalid' || failure === 'rejected')) return 'unreadable'
      throw error
    }
  }

  return { name: 'due invoices', system: 'accounting', run }
}
