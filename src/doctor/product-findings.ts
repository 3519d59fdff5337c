import type { UpstreamError } from '../errors.ts'
import { abbreviateList } from './abbreviate-list.ts'
import type { CatalogSample } from './catalog-sample.ts'
import type { SystemFinding } from './diagnosis.ts'
import { remedyForFailure, type SystemLocation } from './failure-remedies.ts'
import { type ProductCheck, productChecks } from './product-checks.ts'

/** The findings on the sampled products, worst first. */
export function productFindings(
  { products, duplicateSkus, error }: CatalogSample,
  location: SystemLocation,
  now: number,
): SystemFinding[] {
  const bySlug = Map.groupBy(
    products.flatMap(({ product }) => (product ? [product] : [])),
    ({ slug }) => slug,
  )
  const sharedSlugs = new Set([...bySlug].flatMap(([slug, { length }]) => (length > 1 ? [slug] : [])))
  const findings = productChecks.flatMap((check) => {
    const skus = products.filter((product) => check.matches(product, { now, sharedSlugs })).map(({ sku }) => sku)
    return skus.length === 0 ? [] : [toFinding(check, skus, products.length)]
  })
  // The probe of `search` reports a sampling that fails at its first page.
  const isInterrupted = error !== null && error.failure !== 'aborted' && products.length > 0
  return [
    ...(isInterrupted ? [interruptedSampling(products.length, error, location)] : []),
    ...findings,
    ...(duplicateSkus.length > 0 ? [duplicatesFinding(duplicateSkus)] : []),
  ]
}

const interruptedSampling = (count: number, error: UpstreamError, location: SystemLocation): SystemFinding => ({
  check: 'walk',
  systems: ['inventory'],
  severity: 'error',
  finding: `the search fails after ${count} products: ${error.message}`,
  remedy: remedyForFailure(error, location),
})

/** A warning that concerns most products is an error: its cause is not in single products. */
function toFinding({ check, systems, severity, problem, remedy }: ProductCheck, skus: string[], total: number) {
  return {
    check,
    systems,
    severity: severity === 'warning' && skus.length > total / 2 ? 'error' : severity,
    finding: `${skus.length} of ${total} products ${problem}: ${abbreviateList(skus)}`,
    remedy,
  } satisfies SystemFinding
}

const duplicatesFinding = (skus: string[]): SystemFinding => ({
  check: 'duplicate_sku',
  systems: ['inventory'],
  severity: 'warning',
  finding: `${skus.length} SKUs appear on several pages of a search: ${abbreviateList(skus)}`,
  remedy: 'Give every product its own SKU, and make the system list products in a stable order',
})
