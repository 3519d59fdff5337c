import { Me } from '../../contract/shoppers/me.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, valueSection } from '../../sections/section.ts'
import { createSectionNotFoundError } from './create-section-not-found-error.ts'
import { toMe } from './me-response.ts'
import { readUsedAddresses } from './read-used-addresses.ts'

export const getMeRoute = defineRoute({
  method: 'GET',
  path: '/v1/me',
  operationId: 'getMe',
  summary: 'Get the customer of the shopper token',
  tag: 'Customer',
  scope: 'storefront:customer',
  needsShopper: true,
  input: {},
  response: Me,
  problems: ['not_found'],
  caching: 'none',
  sections: { required: ['customer'], optional: [] },
  async handle(request) {
    const { backOffice, customerId, merchant, requestScope } = request
    const { values, errors, traces } = await fanOut(requestScope, {
      customer: required(backOffice.accounting.customer(customerId!, requestScope).then(valueSection)),
    })
    if (!values.customer) throw createSectionNotFoundError('customer', errors.length > 0)
    const used = await readUsedAddresses(request, customerId!, values.customer)
    return { body: toMe(values.customer, used, merchant.currency, errors), errors, traces }
  },
})
