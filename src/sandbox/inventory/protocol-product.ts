import type { StoredCategory, StoredProduct } from './catalog-store.ts'
import { readOriginalPicture } from './original-pictures.ts'

const SIZE = 800

/** A product as the protocol returns it: with category names and absolute picture URLs. */
export function toProtocolProduct(
  product: StoredProduct,
  categories: ReadonlyMap<string, StoredCategory>,
  address: string,
) {
  const { category_ids, universal: _, media, ...rest } = product
  return {
    ...rest,
    categories: category_ids.flatMap((id) => {
      const category = categories.get(id)
      return category ? [{ category_id: id, name: category.name, slug: category.slug }] : []
    }),
    media: media.map(({ media_id, file, alt, original }, i) => ({
      media_id,
      position: i + 1,
      alt,
      kind: 'IMAGE' as const,
      width: original ? null : SIZE,
      height: original ? null : SIZE,
      ...(original
        ? { content_id: readOriginalPicture(original).tag }
        : { thumb_url: `${address}/media/${file}-thumb.webp`, large_url: `${address}/media/${file}-large.webp` }),
    })),
  }
}
