import type { FindProduct } from '../../commands/carts/add-lines.ts'
import { createUnknownSkuError } from '../../commands/carts/unknown-sku-error.ts'
import type { ApiRequest } from '../../http/route.ts'
import type { Product } from '../../ports/inventory.ts'
import { SectionFailed } from '../../sections/section-errors.ts'
import { isValidSku } from '../valid-upstream-ids.ts'

type ProductRequest = Pick<ApiRequest, 'backOffice' | 'requestScope'>

/** Returns a product that may be sold, from its last-good value while inventory fails. Throws InvalidInput for any other SKU. */
export async function findSellableProduct(request: ProductRequest, sku: string, loc: string[]): Promise<Product> {
  const product = (await findSellableProducts(request, [sku]))(sku)
  if (!product) throw createUnknownSkuError(loc, sku)
  return product
}

/** Reads the products of these SKUs at once. Throws SectionFailed when inventory fails and has no last-good value of one of them. */
export async function findSellableProducts(
  { backOffice, requestScope }: ProductRequest,
  skus: readonly string[],
): Promise<FindProduct> {
  const valid = [...new Set(skus.filter(isValidSku))]
  const results = valid.length > 0 ? await backOffice.products(valid, requestScope, { forCart: true }) : []
  const products = new Map(
    results.map(({ value, error }, at) => {
      if (value === null && error) throw new SectionFailed('product', error)
      return [valid[at]!, value?.active ? value : null]
    }),
  )
  return (sku) => products.get(sku) ?? null
}
