import { expect } from 'chai'
import { MAX_INVOICE_DOCUMENT_BYTES } from '../../../../src/ports/invoice.ts'
import { createCall } from '../../../support/create-call.ts'
import { requirementsOf } from '../requirement.ts'

export const invoiceDocumentRequirements = requirementsOf(
  'accounting.invoiceDocument',
  [
    'returns the same PDF each time, to the customer of the invoice alone',
    ['customer', 'documentInvoiceId'],
    async ({ accounting, facts: { customer, documentInvoiceId, unknownCustomerId } }) => {
      const read = (who: string) => accounting.invoiceDocument(who, documentInvoiceId, createCall())
      const bytes = (await read(customer.customerId))!
      expect(Buffer.from(bytes).toString('latin1')).to.match(/^%PDF-\d\.\d/)
      expect(bytes.byteLength).to.be.at.most(MAX_INVOICE_DOCUMENT_BYTES)
      expect(Buffer.from((await read(customer.customerId))!)).to.deep.equal(Buffer.from(bytes))
      for (const who of [customer.otherId, unknownCustomerId, 'no such/customer'])
        expect(await read(who), who).to.equal(null)
    },
  ],
  [
    'returns null for an unknown invoice',
    ['customer'],
    async ({ accounting, facts: { customer } }) => {
      for (const stranger of ['no such/invoice', '0', '%', '..'])
        expect(await accounting.invoiceDocument(customer.customerId, stranger, createCall())).to.equal(null)
    },
  ],
)
