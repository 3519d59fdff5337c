import { Me } from '../../contract/customer.ts'
import { Problem, UpstreamError } from '../../errors.ts'
import { defineRoute } from '../../http/route.ts'
import { fanOut, required, SectionFailed, valueSection } from '../../sections/section.ts'
import { toMe } from './shopper-response.ts'

export const getMeRoute = defineRoute({
  method: 'GET',
  path: '/v1/me',
  operationId: 'getMe',
  summary: 'The customer of the shopper token',
  tag: 'Customer',
  scope: 'storefront:customer',
  needsShopper: true,
  input: {},
  response: Me,
  problems: ['not_found'],
  caching: 'none',
  sections: { required: ['customer'], optional: [] },
  async answer({ backOffice, customerId, merchant, requestScope }) {
    const { values, errors, traces } = await fanOut(requestScope, {
      customer: required(backOffice.accounting.customer(customerId!, requestScope).then(valueSection)),
    })
    if (!values.customer) throw createSectionNotFoundError('customer', errors.length > 0)
    return { body: toMe(values.customer, merchant.currency, errors), errors, traces }
  },
})

/** A ledger that does not offer a thing cannot be said not to have it. */
export function createSectionNotFoundError(section: string, notOffered: boolean): Error {
  if (!notOffered) return new Problem('not_found')
  return new SectionFailed(
    section,
    new UpstreamError('not_configured', `the ledger does not offer ${section}`, { system: 'accounting' }),
  )
}
