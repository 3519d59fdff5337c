import { toPicturePaths } from '../../catalog/mirror/file/picture-paths.ts'
import type { Product } from '../../ports/inventory.ts'
import { listProductDocuments, replaceProductDocument } from '../../storage/catalog/catalog-products.ts'
import { takeCatalogSequences } from '../../storage/catalog/catalog-sequences.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeReadContext } from '../feed/change-source.ts'
import { type ProductState, toProductState } from './product-state.ts'

/**
 * Converts what an earlier release stored of these products, with whole URLs of the pictures that Forecourt serves. Returns, for each
 * product, the digest of the known content with paths. A product with this digest is unchanged, although the stored digest differs.
 */
export async function convertStoredPictureUrls(
  transaction: Database,
  { context: { tenant, hasMirror }, at }: Pick<ChangeReadContext, 'context' | 'at'>,
  products: readonly Product[],
  known: ReadonlyMap<string, { state: ProductState | null }>,
): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  const different: string[] = []
  for (const product of products) {
    const [state, paths] = [known.get(product.sku)?.state, toPicturePaths(product)]
    if (!state || paths === product || state.digest === toProductState(paths).digest) continue
    different.push(product.sku)
    if (state.digest === toProductState(product).digest) digests.set(product.sku, toProductState(paths).digest)
  }
  if (!hasMirror || different.length === 0) return digests
  // Writers of the catalog wait here for each other, before they lock its rows.
  await takeCatalogSequences(transaction, tenant, 0, at)
  for (const [sku, document] of await listProductDocuments(transaction, tenant, different)) {
    const stored = JSON.parse(document) as Product
    const paths = toPicturePaths(stored)
    if (paths === stored) continue
    // The public URL of the process that read it may have been another one.
    if (known.get(sku)?.state?.digest === toProductState(stored).digest) digests.set(sku, toProductState(paths).digest)
    await replaceProductDocument(transaction, tenant, { sku, product: JSON.stringify(paths) })
  }
  return digests
}
