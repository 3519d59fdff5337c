import type { EventKind } from '../../contract/events/event-types.ts'
import { toInvoiceItem, toInvoiceStatus } from '../../contract/orders/invoice-mapping.ts'
import type { Invoice, InvoiceChange } from '../../ports/invoice.ts'
import { lockResources, type NewResourceState, storeResourceStates } from '../../storage/changes/resource-states.ts'
import type { Database } from '../../storage/database.ts'
import { appendEvent } from '../../storage/webhooks/outbox.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeReadContext, ChangeSource } from '../feed/change-source.ts'
import { noSkusToInvalidate } from '../feed/invalidate-skus.ts'
import { isNewSinceBaseline, isOlderThanKnown, isSupersededRead } from '../feed/is-outdated-change.ts'

/** The stored state of an invoice at its last read. */
export interface InvoiceState {
  status: ReturnType<typeof toInvoiceStatus>
  customer_id: string
  /** The invoice's change time. */
  at: string
}

/** The invoices and credit notes of accounting: issued, paid, overdue and voided. */
export const createInvoiceSource = ({ backOffice }: ChangeJobContext): ChangeSource<InvoiceChange> => ({
  name: 'invoices',
  system: 'accounting',
  idOf: ({ invoice_id }) => invoice_id,
  read: (query, requestScope) => backOffice.changes.invoices(query, requestScope),
  async apply(transaction, invoices, reading) {
    await applyInvoices(transaction, invoices, reading)
    return noSkusToInvalidate
  },
})

/** Stores the new states of invoices and appends their events. */
export async function applyInvoices(
  transaction: Database,
  invoices: readonly InvoiceChange[],
  reading: ChangeReadContext,
) {
  const { context, calledAt, at } = reading
  const ids = invoices.map(({ invoice_id }) => invoice_id)
  const resources = await lockResources<InvoiceState>(transaction, context.tenant, 'invoice', ids, calledAt)
  const today = context.backOffice.today()
  const states: NewResourceState[] = []
  for (const invoice of invoices) {
    const { invoice_id, customer_id, updated_at } = invoice
    const before = resources.get(invoice_id)!
    const known = before.state
    if (known && (isSupersededRead(before, reading) || isOlderThanKnown(updated_at, known, reading))) continue
    const types =
      known || isNewSinceBaseline(invoice.issued_at, reading) ? computeEventTypes(known, invoice, today) : []
    for (const type of types) {
      const data = { ...toInvoiceItem(invoice, today), customer_id }
      const resource = { type: 'invoice' as const, id: invoice_id }
      await appendEvent(transaction, { ...context.tenant, type, resource, data, at })
    }
    const status = toInvoiceStatus(invoice, today)
    const state: InvoiceState = { status, customer_id, at: updated_at }
    const isUnpaid = invoice.type === 'INVOICE' && (status === 'OPEN' || status === 'PARTIALLY_PAID')
    states.push({ id: invoice_id, state, dueOn: isUnpaid ? invoice.due_date : null })
  }
  await storeResourceStates(transaction, context.tenant, 'invoice', states, calledAt)
}

/** Returns the event types for an invoice's new state, in order. A credit note is neither paid nor overdue. */
function computeEventTypes(known: InvoiceState | null, invoice: Invoice, today: string): EventKind[] {
  const status = toInvoiceStatus(invoice, today)
  const types: EventKind[] = known ? [] : ['invoice.issued']
  if (known?.status === status || known?.status === 'VOID') return types
  if (status === 'VOID') types.push('invoice.voided')
  if (invoice.type === 'INVOICE' && status === 'PAID') types.push('invoice.paid')
  if (invoice.type === 'INVOICE' && status === 'OVERDUE') types.push('invoice.overdue')
  return types
}
