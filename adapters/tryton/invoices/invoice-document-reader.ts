import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable, parseRecordId, TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { issuedInvoicesDomain } from './issued-invoices-domain.ts'

const Rows = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, invoice_report_format: Type.Optional(nullable(Type.String())) })),
)
/** The format, the file, and members that are not read. A text format is a string. */
const Report = responseSchema(Type.Array(Type.Unknown(), { minItems: 2 }))

/**
 * Returns a function that reads the PDF of an invoice. Tryton stores the report of an invoice when it is posted. In most
 * databases it is an ODT file: only a report with the extension PDF is passed on.
 */
export function createInvoiceDocumentReader(context: TrytonContext): Required<AccountingPort>['invoiceDocument'] {
  const { rpc, capabilities } = context
  return async (customerId, invoiceId, call) => {
    await capabilities.require(call, 'invoices')
    const [party, id] = [parseRecordId(customerId), parseRecordId(invoiceId)]
    if (party === null || id === null) return null
    const domain = [...issuedInvoicesDomain(context), ['party', '=', party], ['id', '=', id]]
    const [invoice] = await rpc(
      Rows,
      'account.invoice.search_read',
      [domain, 0, 1, null, ['invoice_report_format']],
      call,
    )
    if (!invoice || (invoice.invoice_report_format ?? 'pdf') !== 'pdf') return null
    const params = [[id], { model: 'account.invoice', id, ids: [id] }]
    const [format, file] = await rpc(Report, 'report.account.invoice.execute', params, call)
    const { base64 } = (file ?? {}) as { base64?: unknown }
    return format === 'pdf' && typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null
  }
}
