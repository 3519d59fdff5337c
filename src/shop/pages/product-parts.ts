import { html, nothing } from 'lit-html'
import type { Banding, PriceInfo, SectionError } from '../../client/browser.ts'
import { bandNames, formatDate, formatPrice } from './format.ts'

export const productPath = (sku: string): string => `/shop/products/${encodeURIComponent(sku)}`

type Band = Pick<Banding, 'band' | 'eta'>

/** The band of a product. `live-stock.ts` finds it by `data-sku` and keeps it current. */
export const stockBadge = (sku: string, availability: Band | null) => html`
  <span class="stock" data-sku=${sku} data-band=${availability?.band ?? 'UNKNOWN'} .textContent=${describeBand(availability)}></span>`

export function describeBand(availability: Band | null): string {
  if (!availability) return 'Stock unknown'
  const { band, eta } = availability
  return bandNames[band] + (eta ? `, expected ${formatDate(eta)}` : '')
}

/** Without an error, a missing price means that the product has none. */
export function priceText(price: PriceInfo | null, error: SectionError | undefined) {
  if (!price) return html`<span class="no-price">${error ? 'Price unavailable' : 'Price on request'}</span>`
  const { amount, list_amount, currency, price_type } = price
  const listPrice = formatPrice({ amount: list_amount, currency })
  return html`
    <span class="price">${formatPrice({ amount, currency })}</span>
    ${
      price_type === 'CONTRACT' && list_amount !== amount
        ? html`<s><span class="unseen">List price </span>${listPrice}</s> <span class="tag">Your price</span>`
        : nothing
    }`
}

export const picture = (url: string | null | undefined, alt: string, size: number, loading = 'lazy') =>
  url
    ? html`<img alt=${alt} width=${size} height=${size} loading=${loading} src=${url}>`
    : html`<span class="no-picture"></span>`

interface CardProduct {
  sku: string
  name: string
  brand?: string | null
  price: PriceInfo | null
  availability: Banding | null
  cover?: { thumb_url: string } | null
}

export const productCard = (product: CardProduct, priceError: SectionError | undefined) => html`
  <article class="card">
    ${product.cover === undefined ? nothing : picture(product.cover?.thumb_url, '', 240)}
    <p class="soft">${product.brand}</p>
    <h2><a href=${productPath(product.sku)}>${product.name}</a></h2>
    <p class="prices">${priceText(product.price, priceError)}</p>
    <p>${stockBadge(product.sku, product.availability)}</p>
  </article>`

export type Row<Value> = readonly [term: string, value: Value | null | undefined]

/** The rows of a `dl` that have a value. */
export const terms = (rows: readonly Row<unknown>[]) =>
  rows.map(([term, value]) => (value ? html`<dt>${term}</dt><dd>${value}</dd>` : nothing))
