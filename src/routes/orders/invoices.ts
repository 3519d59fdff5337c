import Type from 'typebox'
import { InvoiceDetail, InvoiceList, InvoiceStatus } from '../../contract/orders/invoice.ts'
import { toInvoiceDetail, toInvoiceItem } from '../../contract/orders/invoice-mapping.ts'
import { toPagination } from '../../contract/pagination.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import type { InvoiceQuery } from '../../ports/invoice.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { clampOffset } from '../page-query.ts'
import { assertValidId } from '../valid-upstream-ids.ts'

export const listInvoicesRoute = defineRoute({
  method: 'GET',
  path: '/v1/invoices',
  operationId: 'listInvoices',
  summary: 'List the invoices of the customer, newest first',
  tag: 'Invoices',
  scope: 'storefront:invoices',
  input: {
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
      status: Type.Optional(InvoiceStatus),
    }),
  },
  response: InvoiceList,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['data'], optional: [] },
  async handle({ query, backOffice, customerId, requestScope }) {
    const today = backOffice.today()
    const invoiceQuery = { ...clampOffset(query), today } as InvoiceQuery
    const page = backOffice.accounting.invoices(customerId!, invoiceQuery, requestScope)
    const { values, errors, traces } = await fanOut(requestScope, { data: required(page.then(valueSection)) })
    const { invoices, total, has_more } = values.data ?? { invoices: [], total: null, has_more: false }
    const data = invoices.map((invoice) => toInvoiceItem(invoice, today))
    return { body: { data, pagination: toPagination(query, data.length, total, has_more), errors }, errors, traces }
  },
})

export const getInvoiceRoute = defineRoute({
  method: 'GET',
  path: '/v1/invoices/:invoice_id',
  operationId: 'getInvoice',
  summary: 'Get an invoice',
  tag: 'Invoices',
  scope: 'storefront:invoices',
  input: { params: Type.Object({ invoice_id: Type.String() }) },
  response: InvoiceDetail,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['invoice'], optional: [] },
  async handle({ params, backOffice, customerId, requestScope }) {
    assertValidId(params.invoice_id, 'invoice')
    const invoice = backOffice.accounting.invoice(customerId!, params.invoice_id, requestScope)
    const { values, errors, traces } = await fanOut(requestScope, { invoice: required(invoice.then(valueSection)) })
    if (!values.invoice) throw createNotFound('invoice')
    return { body: { ...toInvoiceDetail(values.invoice, backOffice.today()), errors }, errors, traces }
  },
})
