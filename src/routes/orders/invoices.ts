import Type from 'typebox'
import { invoiceItem } from '../../contract/invoice-view.ts'
import { paginationOf } from '../../contract/common-schemas.ts'
import { InvoiceList, invoiceStatuses } from '../../contract/invoice.ts'
import type { InvoiceQuery } from '../../ports/invoice.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { route } from '../../http/route.ts'
import { reachable } from '../vehicles/vehicle-products.ts'

export const invoices = route({
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
  async answer({ query, office, customerId, asking }) {
    const today = office.today()
    const listed = office.account.invoices(customerId!, { ...reachable(query), today } as InvoiceQuery, asking)
    const { values, errors, traces } = await fanOut(asking, { data: required(listed.then(one)) })
    const { invoices, total, has_more } = values.data ?? { invoices: [], total: null, has_more: false }
    const data = invoices.map((invoice) => invoiceItem(invoice, today))
    return { body: { data, pagination: paginationOf(query, data.length, total, has_more), errors }, errors, traces }
  },
})
