import type { CatalogPartName } from '../../../catalog/mirror/file/catalog-part-names.ts'
import type { MirrorProduct } from '../../../catalog/mirror/file/mirror-row.ts'
import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import { findAbsentParts } from '../../../storage/catalog/absent-product-parts.ts'
import { listOpenCartsWithProduct } from '../../../storage/commerce/operator-cart-queries.ts'
import type { BackOffice } from '../../../upstream/back-office.ts'
import type { LiveCallOptions } from '../../../upstream/readers/run-live-call.ts'
import type { UpstreamRegistry } from '../../../upstream/upstream-registry.ts'
import type { ConsolePage, TemplateResponse } from '../../console-page.ts'
import { type LiveFinding, toLiveFinding } from './live-finding.ts'
import type { LookupPageParts } from './lookup-page-dependencies.ts'
import { createPageScope } from './page-scope.ts'
import { type ProductFindings, toProductPageView } from './product-page-view.ts'
import { readRefusedCheckoutsOfProduct } from './refused-checkouts-of-product.ts'
import { createLookupNotFound, requireServedTenant } from './served-tenant.ts'

export interface ProductPageParts extends LookupPageParts {
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
  mirrors: readonly TenantMirror[]
}

const MAX_SKU_LENGTH = 128

/** Creates the page of a product: what shoppers see of it now, what each system says, and what is cached or mirrored since when. */
export function createProductPage(parts: ProductPageParts): ConsolePage {
  const { db, upstreams, mirrors, merchants, now } = parts
  return {
    method: 'GET',
    path: '/products/:merchant/:mode/:sku',
    role: 'support',
    async respond({ params }): Promise<TemplateResponse> {
      const tenant = requireServedTenant(merchants, params)
      const sku = params.sku!
      const upstream = upstreams.forTenant(tenant)
      if (!upstream || sku.length > MAX_SKU_LENGTH || sku === '.' || sku === '..') throw createLookupNotFound('product')
      const { backOffice } = upstream
      const mirror = mirrors.find((one) => one.tenant.merchant === tenant.merchant && one.tenant.mode === tenant.mode)
      const read = await readFindings(backOffice, mirror ?? null, sku, now)
      // Accounting may have a tax for every SKU.
      const known = read.parts.slice(0, -1).some(({ cached, live }) => cached?.value || live.value !== null)
      const isUnknown = !read.mirrored && !known
      const inventoryError = read.parts[0]!.live.error
      const hasFailure = inventoryError !== null && inventoryError.failure !== 'not_configured'
      if (isUnknown && !hasFailure) throw createLookupNotFound('product')
      const isIncomplete = read.parts.some(({ live }) => live.value === null && live.error === null)
      const findings = {
        ...read,
        absent: await findAbsentParts(db, tenant, sku),
        openCarts:
          isIncomplete && !isUnknown
            ? await listOpenCartsWithProduct(db, tenant, { sku, now: new Date(now()).toISOString() })
            : null,
        refusedCheckouts: isIncomplete && !isUnknown ? await readRefusedCheckoutsOfProduct(db, tenant, sku) : null,
      }
      const view = toProductPageView({ tenant, sku }, findings, merchants, now())
      return { template: 'product', title: `Product ${sku}`, view }
    },
  }
}

const readMirrorRow = (mirror: TenantMirror | null, sku: string): MirrorProduct | null => {
  try {
    return mirror?.isServing ? (mirror.products([sku])[0] ?? null) : null
  } catch {
    // The file is damaged, and is being replaced: the page Mirrors says so.
    return null
  }
}

/** Looks at the caches first: the reads that follow change them. */
async function readFindings(
  backOffice: BackOffice,
  mirror: TenantMirror | null,
  sku: string,
  now: () => number,
): Promise<Pick<ProductFindings, 'mirrored' | 'parts'>> {
  const { cached } = backOffice
  const before = [cached.product(sku), cached.availability(sku), cached.price(sku), cached.tax(sku)] as const
  const mirrored = readMirrorRow(mirror, sku)
  const requestScope = createPageScope(now)
  const shown = await Promise.all([
    backOffice.products([sku], requestScope),
    backOffice.availability([sku], requestScope),
    backOffice.prices([sku], null, requestScope),
    backOffice.taxes([sku], null, requestScope),
  ])
  const live = await readLive(backOffice, sku, { requestScope, priority: 'search' })
  const partNames: CatalogPartName[] = ['products', 'stock', 'prices', 'taxes']
  requestScope.leave()
  return {
    mirrored,
    parts: partNames.map((part, at) => ({
      cached: before[at] ?? null,
      mirrorState: mirrored && mirror ? mirror.partState(part) : null,
      shown: shown[at]![0]!,
      live: live[at]!,
    })),
  }
}

/** Asks each system about this product, bypassing every cache. */
async function readLive(
  backOffice: BackOffice,
  sku: string,
  options: LiveCallOptions,
): Promise<LiveFinding<unknown>[]> {
  const items = backOffice.itemsNow([sku], options)
  return Promise.all([
    toLiveFinding(items.then((found) => found.get(sku)?.product ?? null)),
    toLiveFinding(items.then((found) => found.get(sku)?.banded ?? null)),
    toLiveFinding(backOffice.pricesNow([sku], null, options).then((found) => found.get(sku) ?? null)),
    toLiveFinding(backOffice.taxesNow([sku], null, options).then((found) => found.get(sku) ?? null)),
  ])
}
