import Type from 'typebox'
import { InvoiceDetail } from '../../contract/invoice.ts'
import { toInvoiceDetail } from '../../contract/invoice-view.ts'
import { Problem } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut, required, valueSection } from '../../sections/section.ts'
import { assertValidId } from './order-response.ts'

export const getInvoiceRoute = defineRoute({
  method: 'GET',
  path: '/v1/invoices/:invoice_id',
  operationId: 'getInvoice',
  summary: 'One invoice, whole',
  tag: 'Invoices',
  scope: 'storefront:invoices',
  input: { params: Type.Object({ invoice_id: Type.String() }) },
  response: InvoiceDetail,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['invoice'], optional: [] },
  async answer({ params, backOffice, customerId, requestScope }) {
    assertValidId(params.invoice_id)
    const read = backOffice.accounting.invoice(customerId!, params.invoice_id, requestScope)
    const { values, errors, traces } = await fanOut(requestScope, { invoice: required(read.then(valueSection)) })
    if (!values.invoice) throw new Problem('not_found')
    return { body: { ...toInvoiceDetail(values.invoice, backOffice.today()), errors }, errors, traces }
  },
})
