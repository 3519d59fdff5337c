import Type from 'typebox'
import { createNotFound, Problem, UpstreamError } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import type { Invoice } from '../../ports/invoice.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { SectionFailed } from '../../sections/section-errors.ts'
import { assertValidId } from '../valid-upstream-ids.ts'

/** Long enough for a system that lays out the document first. */
const DOCUMENT_DEADLINE_MS = 10_000
const MAX_NAME_LENGTH = 60

export const getInvoiceDocumentRoute = defineRoute({
  method: 'GET',
  path: '/v1/invoices/:invoice_id/document',
  operationId: 'getInvoiceDocument',
  summary: 'Get the PDF of an invoice',
  tag: 'Invoices',
  scope: 'storefront:invoices',
  input: { params: Type.Object({ invoice_id: Type.String() }) },
  response: null,
  file: 'application/pdf',
  problems: ['document_not_available'],
  needsShopper: true,
  caching: 'none',
  deadlineMs: DOCUMENT_DEADLINE_MS,
  sections: { required: ['invoice', 'document'], optional: [] },
  async handle({ params, backOffice, customerId, requestScope }) {
    const { invoice_id } = params
    assertValidId(invoice_id, 'invoice')
    // Read first: it decides whether the invoice is the customer's, whatever the system checks before it sends a document.
    const read = backOffice.accounting.invoice(customerId!, invoice_id, requestScope)
    const { values, traces } = await fanOut(requestScope, { invoice: required(read.then(valueSection)) })
    if (!values.invoice) throw createNotFound('invoice')
    const document = await backOffice.accounting
      .invoiceDocumentNow(customerId!, invoice_id, requestScope)
      .catch((error: unknown) => {
        throw error instanceof UpstreamError ? toProblem(error) : error
      })
    if (!document) throw new Problem('document_not_available')
    const headers = { 'Content-Disposition': `attachment; filename="${toFileName(values.invoice)}"` }
    return { body: Buffer.from(document), errors: [], traces, headers }
  },
})

/** A module that the system lacks is no failure. */
const toProblem = (error: UpstreamError) =>
  error.failure === 'not_configured' ? new Problem('document_not_available') : new SectionFailed('document', error)

/** Returns a name in plain ASCII: invoice numbers contain slashes, and anything else that staff has typed. */
function toFileName({ type, invoice_number, invoice_id }: Invoice): string {
  const toPlain = (text: string) => text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '')
  const number = (toPlain(invoice_number) || toPlain(invoice_id)).slice(0, MAX_NAME_LENGTH)
  return `${type === 'CREDIT_NOTE' ? 'credit-note' : 'invoice'}-${number}.pdf`
}
