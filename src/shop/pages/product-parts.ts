import type { Banding, PriceInfo, SectionError } from '../../client/browser.ts'
import { type Child, el, link } from './dom.ts'
import { bandNames, formatDate, formatPrice } from './format.ts'

export const productPath = (sku: string): string => `/shop/products/${encodeURIComponent(sku)}`

/** The band of a product. `live-stock.ts` finds it by `data-sku` and keeps it current. */
export function stockBadge(sku: string, availability: Banding | null): HTMLElement {
  const badge = el('span', { class: 'stock', 'data-sku': sku })
  showBand(badge, availability)
  return badge
}

export function showBand(badge: HTMLElement, availability: Pick<Banding, 'band' | 'eta'> | null): void {
  badge.dataset.band = availability?.band ?? 'UNKNOWN'
  const eta = availability?.eta ? `, expected ${formatDate(availability.eta)}` : ''
  badge.replaceChildren(availability ? bandNames[availability.band] + eta : 'Stock unknown')
}

/** Without an error, a missing price means that the product has none. */
export function priceText(price: PriceInfo | null, error: SectionError | undefined): Child {
  if (!price) return el('span', { class: 'no-price' }, error ? 'Price unavailable' : 'Price on request')
  const { amount, list_amount, currency, price_type } = price
  const isOwn = price_type === 'CONTRACT' && list_amount !== amount
  return [
    el('span', { class: 'price' }, formatPrice({ amount, currency })),
    isOwn &&
      el('s', {}, el('span', { class: 'unseen' }, 'List price '), formatPrice({ amount: list_amount, currency })),
    isOwn && el('span', { class: 'tag' }, 'Your price'),
  ]
}

export const picture = (url: string | null | undefined, alt: string, size: number, isFirst = false) =>
  url
    ? el('img', { src: url, alt, width: size, height: size, loading: isFirst ? 'eager' : 'lazy' })
    : el('span', { class: 'no-picture' })

interface CardProduct {
  sku: string
  name: string
  brand?: string | null
  price: PriceInfo | null
  availability: Banding | null
  cover?: { thumb_url: string } | null
}

export const productCard = (product: CardProduct, priceError: SectionError | undefined, note?: string) =>
  el(
    'article',
    { class: 'card' },
    product.cover !== undefined && picture(product.cover?.thumb_url, '', 240),
    el('p', { class: 'soft' }, product.brand ?? note),
    el('h2', {}, link(productPath(product.sku), product.name)),
    el('p', { class: 'prices' }, priceText(product.price, priceError)),
    el('p', {}, stockBadge(product.sku, product.availability)),
  )
