import type { Call } from '../../../src/ports/call.ts'
import type { OdooContext } from '../context.ts'
import { issuedInvoicesDomain } from './invoice-domains.ts'
import type { InvoiceSources } from './invoice-mapping.ts'
import { InvoiceRows, invoiceSpecification } from './invoice-schemas.ts'

/** Returns a function that finds issued invoices, the newest first, with all that their mapping needs. */
export function createInvoiceSearch(context: OdooContext) {
  const { rpc, facts, formatAmount, digits } = context
  const issuedDomain = issuedInvoicesDomain(context)

  return async (domain: unknown[], page: { limit?: number; offset?: number }, call: Call) => {
    const [found, { taxes }, { countryCode }] = await Promise.all([
      rpc.search(
        InvoiceRows,
        'account.move',
        {
          domain: [...issuedDomain, ...domain],
          specification: invoiceSpecification,
          order: 'invoice_date desc, id desc',
          ...page,
        },
        call,
      ),
      context.readTaxTables(call),
      context.readCompany(call),
    ])
    const sources: InvoiceSources = { facts, formatAmount, digits, countryCode, taxes }
    return { ...found, sources }
  }
}
