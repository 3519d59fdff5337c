import { UpstreamError } from '../../errors.ts'
import type { Invoice } from '../../ports/invoice.ts'
import { clearResourceDueDates, listDueResources } from '../../storage/changes/resource-states.ts'
import { transactInBackground } from '../../storage/transact-in-background.ts'
import type { ChangeJob, ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeReadContext } from '../feed/change-source.ts'
import { applyInvoices, type InvoiceState } from './invoice-changes.ts'

const MAX_DUE = 200

/** Creates the job for invoices that become overdue without a change. Each is read again, since it may have been paid. */
export function createOverdueInvoiceJob(context: ChangeJobContext): ChangeJob {
  const { db, now, tenant, backOffice } = context
  const instant = () => new Date(now()).toISOString()

  async function run(): Promise<void> {
    const due = await listDueResources<InvoiceState>(db, tenant, 'invoice', backOffice.today(), MAX_DUE)
    for (const { id, state } of due) {
      if (!context.canContinue()) return
      await refreshInvoice(id, state)
    }
  }

  async function refreshInvoice(id: string, { customer_id, at: updated_at }: InvoiceState): Promise<void> {
    const calledAt = instant()
    const invoice = await readInvoice(customer_id, id)
    if (invoice === 'unreadable') return
    await transactInBackground(db, tenant, async (transaction) => {
      if (!invoice) return clearResourceDueDates(transaction, tenant, 'invoice', [id], backOffice.today())
      const at = instant()
      const reading: ChangeReadContext = { context, calledAt, at, isBaseline: false, feedBeganAt: at }
      await applyInvoices(transaction, [{ ...invoice, customer_id, updated_at }], reading)
    })
  }

  /** An unreadable invoice is skipped, so that it does not block the others. */
  async function readInvoice(customerId: string, id: string): Promise<Invoice | null | 'unreadable'> {
    try {
      return await backOffice.changes.invoice(customerId, id, context.requestScope())
    } catch (error) {
      const { failure } = error as UpstreamError
      if (error instanceof UpstreamError && (failure === 'invalid' || failure === 'rejected')) return 'unreadable'
      throw error
    }
  }

  return { name: 'due invoices', system: 'accounting', run }
}
