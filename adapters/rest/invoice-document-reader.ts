import { UpstreamError } from '../../src/errors.ts'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import { isNotOffered, type ProtocolClient } from './protocol-client.ts'

/** Returns a function that reads the PDF of an invoice. A system of an earlier protocol does not have the operation. */
export function createInvoiceDocumentReader(
  protocol: Pick<ProtocolClient, 'bytes'>,
): Required<AccountingPort>['invoiceDocument'] {
  return async (customerId, invoiceId, call) => {
    const path = `/invoices/${encodeURIComponent(invoiceId)}/document`
    const query = { customer_id: customerId }
    const response = await protocol.bytes({ method: 'GET', path, query, isNotFound: isNotOffered }, call)
    if (!response) return null
    const type = String(response.headers['content-type'] ?? '')
    if (!/^application\/pdf\b/i.test(type))
      throw new UpstreamError('invalid', `GET ${path} responded with another type`)
    return response.bytes
  }
}
