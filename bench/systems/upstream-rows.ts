import { crc32 } from 'node:zlib'

const AT = '2026-03-02T12:00:00.000Z'
const DESCRIPTION =
  'Front disc brake pads in a low-dust ceramic compound, with shims, wear sensors and fitting hardware. ' +
  'Bedded and tested for quiet stops in heat and rain. Sold as an axle set of four.'

const productTail = JSON.stringify({
  description: DESCRIPTION,
  brand: 'Harbour Brake',
  mpn: 'HB-2210-C',
  media: ['front', 'boxed'].map((alt, index) => ({
    media_id: `media-2210-${index + 1}`,
    position: index + 1,
    alt: `Brake pads, ${alt}`,
    kind: 'IMAGE',
    width: 1_200,
    height: 900,
    thumb_url: `http://127.0.0.1/media/brake-pads-${alt}-thumb.webp`,
    large_url: `http://127.0.0.1/media/brake-pads-${alt}-large.webp`,
  })),
  categories: [{ category_id: 'cat-brakes', name: 'Brakes', slug: 'brakes' }],
  tags: ['best-seller', 'ceramic'],
  uom: 'SET',
  order_uoms: [{ uom: 'SET', factor: '1', min: '1', increment: '1' }],
  active: true,
  updated_at: AT,
}).slice(1)

/** Varied names, so that a page compresses about as well as a real one. */
const NOUNS = ['Brake pads', 'Oil filter', 'Shock absorber', 'Wheel bearing', 'Spark plug', 'Water pump', 'Timing belt']
const KINDS = [
  'ceramic',
  'heavy-duty',
  'long-life',
  'low-dust',
  'premium',
  'original-fit',
  'tropical',
  'marine',
  'light',
]

function nameFields(sku: string): string {
  const hash = crc32(sku)
  const [noun, kind] = [NOUNS[hash % NOUNS.length]!, KINDS[(hash >>> 8) % KINDS.length]!]
  const slug = `${kind}-${noun.toLowerCase().replace(' ', '-')}-${hash.toString(36)}`
  return `"sku":"${sku}","name":"${noun}, ${kind} ${hash.toString(16)}","slug":"${slug}","barcode":"${hash}00"`
}
const stock = '"stock":{"available":40,"expected":[{"date":"2026-12-24","quantity":100}]}'
const price =
  '"price_type":"LIST","tax_included":false,"uom":"SET",' +
  `"breaks":[{"min_quantity":"4","amount":"8050.00"},{"min_quantity":"12","amount":"7600.00"}],"as_of":"${AT}"`
const tax = '"code":"GCT","name":"General Consumption Tax","rate":"0.15"'

/** Returns a row of the upstream protocol for any SKU, always the same bytes: about 1.7 kB of product page each. */
export function itemRow(sku: string, parts: readonly string[]): string {
  const product = parts.includes('product') ? `,"product":{${nameFields(sku)},${productTail}` : ''
  return `{"sku":"${sku}"${product}${parts.includes('stock') ? `,${stock}` : ''}}`
}

export function priceRow(sku: string): string {
  const amount = `"${(crc32(sku) % 90_000) + 100}.50"`
  return `{"sku":"${sku}","amount":${amount},"list_amount":${amount},${price}}`
}

export const taxRow = (sku: string): string => `{"sku":"${sku}",${tax}}`
