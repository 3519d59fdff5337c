import { toInvoiceItem, toInvoiceStatus } from '../contract/invoice-view.ts'
import type { EventKind } from '../contract/webhook.ts'
import { UpstreamError } from '../errors.ts'
import type { Invoice, InvoiceChange } from '../ports/invoice.ts'
import {
  clearResourceDueDates,
  listDueResources,
  lockResources,
  type NewResourceState,
  storeResourceStates,
} from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import { transact } from '../storage/transact.ts'
import { appendEvent } from '../storage/webhooks/outbox.ts'
import {
  type ChangeReadContext,
  type ChangeSource,
  type FeedContext,
  type FeedJob,
  isNewSinceBaseline,
  isOlderThanKnown,
  isSupersededRead,
  noStaleSkus,
} from './change-source.ts'

/** What is kept of an invoice as it was last seen. */
interface InvoiceState {
  status: ReturnType<typeof toInvoiceStatus>
  customer_id: string
  /** Its time of change. */
  at: string
}

/** Invoices and credit notes of the ledger's, as they are issued, paid, fall due and are voided. */
export const createInvoiceSource = ({ backOffice }: FeedContext): ChangeSource<InvoiceChange> => ({
  ...{ name: 'invoices', system: 'accounting', idOf: ({ invoice_id }) => invoice_id },
  read: (query, requestScope) => backOffice.changes.invoices(query, requestScope),
  async take(transaction, invoices, reading) {
    await takeInvoices(transaction, invoices, reading)
    return noStaleSkus
  },
})

async function takeInvoices(transaction: Database, invoices: readonly InvoiceChange[], reading: ChangeReadContext) {
  const { place, askedAt, at } = reading
  const ids = invoices.map(({ invoice_id }) => invoice_id)
  const resources = await lockResources<InvoiceState>(transaction, place.owner, 'invoice', ids, askedAt)
  const today = place.backOffice.today()
  const states: NewResourceState[] = []
  for (const invoice of invoices) {
    const { invoice_id, customer_id, updated_at } = invoice
    const before = resources.get(invoice_id)!
    const known = before.state
    if (known && (isSupersededRead(before, reading) || isOlderThanKnown(updated_at, known, reading))) continue
    const told = known || isNewSinceBaseline(invoice.issued_at, reading) ? kindsOf(known, invoice, today) : []
    for (const type of told) {
      const data = { ...toInvoiceItem(invoice, today), customer_id }
      const resource = { type: 'invoice' as const, id: invoice_id }
      await appendEvent(transaction, { ...place.owner, type, resource, data, at })
    }
    const status = toInvoiceStatus(invoice, today)
    const state: InvoiceState = { status, customer_id, at: updated_at }
    const isWaiting = invoice.type === 'INVOICE' && (status === 'OPEN' || status === 'PARTIALLY_PAID')
    states.push({ id: invoice_id, state, dueOn: isWaiting ? invoice.due_date : null })
  }
  await storeResourceStates(transaction, place.owner, 'invoice', states, askedAt)
}

/** What there is to tell, oldest first. A credit note is neither paid nor overdue. */
function kindsOf(known: InvoiceState | null, invoice: Invoice, today: string): EventKind[] {
  const status = toInvoiceStatus(invoice, today)
  const kinds: EventKind[] = known ? [] : ['invoice.issued']
  if (known?.status === status || known?.status === 'VOID') return kinds
  if (status === 'VOID') kinds.push('invoice.voided')
  if (invoice.type === 'INVOICE' && status === 'PAID') kinds.push('invoice.paid')
  if (invoice.type === 'INVOICE' && status === 'OVERDUE') kinds.push('invoice.overdue')
  return kinds
}

const MOST_DUE = 200

/** Invoices that nobody touched, and that a new day makes overdue: each is read again, since it may have been paid. */
export function createDueInvoiceJob(place: FeedContext): FeedJob {
  const { db, now, owner, backOffice } = place
  const instant = () => new Date(now()).toISOString()

  async function run(): Promise<void> {
    const due = await listDueResources<InvoiceState>(db, owner, 'invoice', backOffice.today(), MOST_DUE)
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
      if (!invoice) return clearResourceDueDates(transaction, owner, 'invoice', [id], backOffice.today())
      const at = instant()
      const reading: ChangeReadContext = { place, askedAt, at, baseline: false, beganAt: at }
      await takeInvoices(transaction, [{ ...invoice, customer_id, updated_at }], reading)
    })
  }

  /** One that cannot be read must not keep the others from being looked at. */
  async function read(customerId: string, id: string): Promise<Invoice | null | 'unreadable'> {
    try {
      return await backOffice.changes.invoice(customerId, id, place.requestScope())
    } catch (error) {
      const { failure } = error as UpstreamError
      if (error instanceof UpstreamError && (failure === 'invalid' || failure === 'rejected')) return 'unreadable'
      throw error
    }
  }

  return { name: 'due invoices', system: 'accounting', run }
}
