import Type from 'typebox'
import { toPagination } from '../../contract/common-schemas.ts'
import { InvoiceList, invoiceStatuses } from '../../contract/invoice.ts'
import { toInvoiceItem } from '../../contract/invoice-view.ts'
import { defineRoute } from '../../http/route.ts'
import type { InvoiceQuery } from '../../ports/invoice.ts'
import { fanOut, required, valueSection } from '../../sections/section.ts'
import { clampOffset } from '../vehicles/vehicle-products.ts'

export const listInvoicesRoute = defineRoute({
  method: 'GET',
  path: '/v1/invoices',
  operationId: 'listInvoices',
  summary: 'The invoices of the customer, newest first',
  tag: 'Invoices',
  scope: 'storefront:invoices',
  input: {
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
      status: Type.Optional(Type.Enum([...invoiceStatuses])),
    }),
  },
  response: InvoiceList,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['data'], optional: [] },
  async answer({ query, backOffice, customerId, requestScope }) {
    const today = backOffice.today()
    const listed = backOffice.accounting.invoices(
      customerId!,
      { ...clampOffset(query), today } as InvoiceQuery,
      requestScope,
    )
    const { values, errors, traces } = await fanOut(requestScope, { data: required(listed.then(valueSection)) })
    const { invoices, total, has_more } = values.data ?? { invoices: [], total: null, has_more: false }
    const data = invoices.map((invoice) => toInvoiceItem(invoice, today))
    return { body: { data, pagination: toPagination(query, data.length, total, has_more), errors }, errors, traces }
  },
})
