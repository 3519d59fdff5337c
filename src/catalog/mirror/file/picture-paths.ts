import type { Product, ProductMedia } from '../../../ports/inventory.ts'

/**
 * A picture that Forecourt serves is stored by its path. The rest of its URL is the public URL of the process that read the product; other
 * processes may have another one. Earlier releases stored whole URLs.
 */
const SERVED =
  /^https?:\/\/[^?#]*?(\/media\/[^/?#]+\/(?:live|sandbox)\/[^/?#]+\/[^/?#]+-[\w-]{22}\/(?:thumb|large)\.webp)$/

const toPath = (url: string): string => SERVED.exec(url)?.[1] ?? url

/** Returns a product with the paths of the pictures that Forecourt serves, as it is stored. URLs of the system stay. */
export function toPicturePaths<P extends Pick<Product, 'media'>>(product: P): P {
  if (!product.media?.some(({ thumb_url, large_url }) => SERVED.test(thumb_url) || SERVED.test(large_url)))
    return product
  const media = product.media.map((picture) => ({
    ...picture,
    thumb_url: toPath(picture.thumb_url),
    large_url: toPath(picture.large_url),
  }))
  return { ...product, media }
}

/** Returns pictures with whole URLs. `publicUrl`: the URL of this process's API for browsers. */
export const toPictureUrls = (media: readonly ProductMedia[], publicUrl: string): ProductMedia[] =>
  media.map((picture) => ({
    ...picture,
    thumb_url: toUrl(picture.thumb_url, publicUrl),
    large_url: toUrl(picture.large_url, publicUrl),
  }))

const toUrl = (url: string, publicUrl: string): string => (url.startsWith('/') ? publicUrl + url : url)

/** Does the same with JSON of pictures, without parsing it: no string in it contains an unescaped quotation mark. */
export const toPictureUrlsInText = (json: string, publicUrl: string): string =>
  json.includes(TEXT_OF_PATH)
    ? json.replaceAll(TEXT_OF_PATH, () => `_url":${JSON.stringify(publicUrl).slice(0, -1)}/`)
    : json

const TEXT_OF_PATH = '_url":"/'
