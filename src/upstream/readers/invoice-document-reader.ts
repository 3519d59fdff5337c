import pLimit from 'p-limit'
import { UpstreamError } from '../../errors.ts'
import type { AccountingPort } from '../../ports/accounting.ts'
import { MAX_INVOICE_DOCUMENT_BYTES } from '../../ports/invoice.ts'
import type { GuardedPort } from '../guard/guarded-port.ts'
import { leaveError, type RequestScope } from '../request/request-scope.ts'
import { runLiveCall } from './run-live-call.ts'

/** Documents may take a quarter of the concurrent calls: a system may lay one out for seconds, and orders must not wait for that. */
const DOCUMENT_SHARE = 4

type ReadInvoiceDocument = (
  customerId: string,
  invoiceId: string,
  requestScope: RequestScope,
) => Promise<Uint8Array | null>

/** Returns a function that reads the PDF of an invoice; `null` when accounting has none. It rejects with UpstreamError. */
export function createInvoiceDocumentReader(
  accounting: GuardedPort<Required<AccountingPort>> | undefined,
): ReadInvoiceDocument {
  if (!accounting) return async () => null
  const { port, guard } = accounting
  const queue = pLimit(Math.max(1, Math.floor(guard.limits.concurrency / DOCUMENT_SHARE)))

  async function read(customerId: string, invoiceId: string, requestScope: RequestScope): Promise<Uint8Array | null> {
    // A report that fails for each invoice must not open the circuit of orders: failures do not count, as in the background.
    const live = { requestScope, priority: 'search', timeoutMs: requestScope.leftMs(), background: true } as const
    const called = { system: 'accounting', operation: 'invoiceDocument' } as const
    const document = await runLiveCall(called, guard, live, (call) => port.invoiceDocument(customerId, invoiceId, call))
    if (document) assertPdf(document)
    return document
  }

  return (customerId, invoiceId, requestScope) => {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>()
    const onLeave = (outOfTime: boolean) => reject(leaveError('accounting', outOfTime))
    requestScope.onLeave(onLeave)
    queue(() => read(customerId, invoiceId, requestScope))
      .then(resolve, reject)
      .finally(() => requestScope.offLeave(onLeave))
    return promise
  }
}

/** A system that cannot make a PDF may send a page of HTML, or another format, in its place. */
function assertPdf(bytes: Uint8Array): void {
  const isPdf = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (isPdf && bytes.byteLength <= MAX_INVOICE_DOCUMENT_BYTES) return
  const summary = isPdf ? `sent a PDF of ${bytes.byteLength} bytes` : 'sent a document that is not a PDF'
  throw new UpstreamError('invalid', `accounting ${summary}`, { system: 'accounting', summary })
}
