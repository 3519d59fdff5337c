import Type from 'typebox'
import { invoiceDetail } from '../../contract/invoice-view.ts'
import { InvoiceDetail } from '../../contract/invoice.ts'
import { Problem } from '../../errors.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { mustBeId } from './order-response.ts'
import { route } from '../../http/route.ts'

export const invoice = route({
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
  async answer({ params, office, customerId, asking }) {
    mustBeId(params.invoice_id)
    const read = office.account.invoice(customerId!, params.invoice_id, asking)
    const { values, errors, traces } = await fanOut(asking, { invoice: required(read.then(one)) })
    if (!values.invoice) throw new Problem('not_found')
    return { body: { ...invoiceDetail(values.invoice, office.today()), errors }, errors, traces }
  },
})
