import { html, nothing } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import type { Alternative, Banding, Fitment, ListedProduct, PriceInfo } from '../../client/browser.ts'
import { formatDate, formatPrice } from './formats.ts'
import { announce } from './notices-and-forms.ts'

export const productPath = (sku: string): string => `/shop/products/${encodeURIComponent(sku)}`
export const bandNames = { IN_STOCK: 'In stock', LOW: 'Few left', OUT: 'Out of stock', LEAD_TIME: 'Made to order' }

/** The band of a product. Its `data-sku` tells that the product is on the page. */
export function stockBadge(sku: string, known: Pick<Banding, 'band' | 'eta'> | null) {
  const expected = known?.eta ? `, expected ${formatDate(known.eta)}` : ''
  const text = known ? bandNames[known.band] + expected : 'Stock unknown'
  return html`<span class="stock" data-sku=${sku} data-band=${known?.band ?? 'UNKNOWN'}>${text}</span>`
}

/** Without an error, a missing price means that the product has none. */
export function priceText(price: PriceInfo | null, error: object | undefined) {
  if (!price) return html`<span class="no-price">${error ? 'Price unavailable' : 'Price on request'}</span>`
  const { amount, list_amount, currency, price_type } = price
  const listPrice = html`
    <s><span class="unseen">List price </span>${formatPrice({ amount: list_amount, currency })}</s>
    <span class="tag">Your price</span>`
  return html`
    <span class="price">${formatPrice(price)}</span>
    ${price_type === 'CONTRACT' && list_amount !== amount ? listPrice : nothing}`
}

export const picture = (url: string | null | undefined, alt: string, size: number, loading = 'lazy') =>
  url
    ? html`<img alt=${alt} width=${size} height=${size} loading=${loading} src=${url}>`
    : html`<span class="no-picture"></span>`

/** Alternatives come without pictures and brands. */
const productCard = (product: ListedProduct | Alternative, priceError: object | undefined) => html`
  <article class="card">
    ${'cover' in product ? picture(product.cover?.thumb_url, '', 240) : nothing}
    <p class="soft">${'brand' in product ? product.brand : nothing}</p>
    <h2><a href=${productPath(product.sku)}>${product.name}</a></h2>
    <p class="prices">${priceText(product.price, priceError)}</p>
    <p>${stockBadge(product.sku, product.availability)}</p>
    ${'fitment' in product && product.fitment ? condition(formatConditions(product.fitment)) : nothing}
  </article>`

const condition = (text: string) => (text ? html`<p class="condition">Fits${text}</p>` : nothing)

/** ` if: four-wheel drive. Reuse the original clips.` */
export function formatConditions({ qualifiers, notes }: Pick<Fitment, 'qualifiers' | 'notes'>): string {
  const conditions = qualifiers.map(({ text }) => text.toLowerCase()).join(' and ')
  return `${conditions && ` if: ${conditions}`}${notes ? `. ${notes}` : ''}`
}

const skuOf = ({ sku }: { sku: string }) => sku
/** No card becomes that of another product, whose band has not changed. */
export const productCards = (products: readonly (ListedProduct | Alternative)[], priceError?: object) => html`
  <div class="cards">${repeat(products, skuOf, (one) => productCard(one, priceError))}</div>`

/** Marks and announces the bands that change while `draw` runs. */
export function markBandChanges(draw: () => void): void {
  const before = new Map<HTMLElement, string | null>()
  for (const badge of document.querySelectorAll<HTMLElement>('.stock')) before.set(badge, badge.textContent)
  draw()
  for (const [badge, text] of before) {
    if (badge.textContent === text) continue
    badge.classList.add('changed')
    announce(`${badge.dataset.sku}: ${badge.textContent}`)
  }
}
