import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { OdooId, OdooText, parseRecordId } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { issuedInvoicesDomain, ownInvoicesDomain } from './invoice-domains.ts'

const Documents = foundShape(Type.Object({ id: OdooId, invoice_pdf_report_file: OdooText }))

/** Returns a function that reads the PDF that Odoo stored when the invoice was sent or printed. Odoo makes none by its API. */
export function createInvoiceDocumentReader(context: OdooContext): Required<AccountingPort>['invoiceDocument'] {
  return async (customerId, invoiceId, call) => {
    const [customer, id] = [parseRecordId(customerId), parseRecordId(invoiceId)]
    if (customer === null || id === null) return null
    const search = {
      domain: [...issuedInvoicesDomain(context), ['id', '=', id], ...ownInvoicesDomain(customer)],
      specification: { invoice_pdf_report_file: {} },
      limit: 1,
      context: { bin_size: false },
    }
    const { records } = await context.rpc.search(Documents, 'account.move', search, call)
    const file = records[0]?.invoice_pdf_report_file
    return file ? Buffer.from(file, 'base64') : null
  }
}
