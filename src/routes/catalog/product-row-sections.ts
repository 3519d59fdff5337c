import { UpstreamError } from '../../errors.ts'
import type { Product } from '../../ports/inventory.ts'
import { columnSection, optional, type Section, valueSection } from '../../sections/section.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { RequestScope } from '../../upstream/request/request-scope.ts'

/** The optional sections of a list of products, with one value per row. */
export function priceAndAvailabilitySections(
  backOffice: BackOffice,
  skus: readonly string[],
  customerId: string | null,
  requestScope: RequestScope,
) {
  return {
    ...priceSections(backOffice, skus, customerId, requestScope),
    ...availabilitySection(backOffice, skus, requestScope),
  }
}

export function priceSections(
  backOffice: BackOffice,
  skus: readonly string[],
  customerId: string | null,
  requestScope: RequestScope,
) {
  return {
    price: optional(backOffice.prices(skus, customerId, requestScope).then(columnSection)),
    tax: optional(backOffice.taxes(skus, customerId, requestScope).then(columnSection)),
  }
}

export const availabilitySection = (backOffice: BackOffice, skus: readonly string[], requestScope: RequestScope) => ({
  availability: optional(backOffice.availability(skus, requestScope).then(columnSection)),
})

/** The media section of loaded products: `null` media means that the adapter does not read media. */
export function mediaSection(products: readonly (Product | null)[]): Promise<Section<null>> {
  const missing = products.some((product) => product?.media === null)
  return Promise.resolve(
    valueSection<null>({ value: null, error: missing ? new UpstreamError('not_configured', 'media') : null, asOf: 0 }),
  )
}
