import { Me } from '../../contract/customer.ts'
import { Problem, UpstreamError } from '../../errors.ts'
import { fanOut, one, required, SectionFailed } from '../../sections/section.ts'
import { route } from '../../http/route.ts'
import { meOf } from './shopper-response.ts'

export const me = route({
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
  async answer({ office, customerId, merchant, asking }) {
    const { values, errors, traces } = await fanOut(asking, {
      customer: required(office.account.customer(customerId!, asking).then(one)),
    })
    if (!values.customer) throw missing('customer', errors.length > 0)
    return { body: meOf(values.customer, merchant.currency, errors), errors, traces }
  },
})

/** A ledger that does not offer a thing cannot be said not to have it. */
export function missing(section: string, notOffered: boolean): Error {
  if (!notOffered) return new Problem('not_found')
  return new SectionFailed(
    section,
    new UpstreamError('not_configured', `the ledger does not offer ${section}`, { system: 'accounting' }),
  )
}
