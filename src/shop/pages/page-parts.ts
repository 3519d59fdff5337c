import { html, nothing } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import type { Address, Alternative, Banding, ListedProduct, Money, PriceInfo, Totals } from '../../client/browser.ts'

export const bandNames = { IN_STOCK: 'In stock', LOW: 'Few left', OUT: 'Out of stock', LEAD_TIME: 'Made to order' }

/** Amounts are exact decimal texts. They become numbers for the eye only: never calculate with them. */
export const formatPrice = ({ amount, currency }: Money): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' }).format(Number(amount))

/** A day, such as a due date, is the same everywhere. A time is shown in the time zone of the shopper. */
export function formatDate(date: string): string {
  const timeZone = date.includes('T') ? undefined : 'UTC'
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(new Date(date))
}

/** `0.15` becomes `15 %`. */
export const formatTaxRate = (rate: string): string => `${Number((Number(rate) * 100).toFixed(3))} %`

export const formatClock = (date: string): string =>
  new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(date))

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `PARTIALLY_SHIPPED` becomes `Partially shipped`. */
export const formatCode = (code: string): string => code[0] + code.slice(1).toLowerCase().replaceAll('_', ' ')

export const productPath = (sku: string): string => `/shop/products/${encodeURIComponent(sku)}`

type Band = Pick<Banding, 'band' | 'eta'> | null

/** The band of a product. `live-stock.ts` finds it by `data-sku` and keeps it current. */
export const stockBadge = (sku: string, availability: Band) => html`
  <span class="stock" data-sku=${sku} data-band=${availability?.band ?? 'UNKNOWN'} .textContent=${describeBand(availability)}></span>`

export const describeBand = (known: Band): string =>
  known ? bandNames[known.band] + (known.eta ? `, expected ${formatDate(known.eta)}` : '') : 'Stock unknown'

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
  </article>`

const toSku = ({ sku }: { sku: string }) => sku
/** No card becomes that of another product: `live-stock.ts` may have changed its band. */
export const productCards = (products: readonly (ListedProduct | Alternative)[], priceError?: object) => html`
  <div class="cards">${repeat(products, toSku, (one) => productCard(one, priceError))}</div>`

export type Row<Value> = readonly [term: string, value: Value | null | undefined]

/** The rows of a `dl` that have a value. */
export const terms = (rows: readonly Row<unknown>[]) =>
  rows.map(([term, value]) => (value ? html`<dt>${term}</dt><dd>${value}</dd>` : nothing))

interface ShownLine {
  /** Keeps the elements of a line together, with what is being typed, when another line is removed. */
  line_id?: string
  sku: string | null
  name: string
  thumb_url?: string | null
  note?: unknown
  /** A text, or a control. */
  quantity: unknown
  /** With tax, whether prices contain it or not. */
  line_total: Money | null
  removal?: unknown
}

/** The lines of a cart, an order or an invoice, with a summary beside them, or below them on a phone. */
export const lineTable = (lines: readonly ShownLine[], summary: unknown) => html`
  <div class="two">
    <ul class="lines">${repeat(lines, ({ line_id }, index) => line_id ?? index, lineItem)}</ul>
    <section class="sheet" aria-label="Summary">${summary}</section>
  </div>`

const lineItem = ({ sku, name, thumb_url, note, quantity, line_total, removal }: ShownLine) => html`
  <li>
    ${thumb_url === undefined ? nothing : picture(thumb_url, '', 64)}
    <div class="what">
      ${sku ? html`<a href=${productPath(sku)}>${name}</a>` : name}
      <p class="soft">${sku} ${note}</p>
    </div>
    <div>${quantity}</div>
    <div class="amount">${line_total ? `${formatPrice(line_total)} with tax` : 'No price now'} ${removal}</div>
  </li>`

/** The last of the amounts is what they come to. */
export const amountList = (rows: readonly Row<Money>[]) => html`
  <dl class="totals">${terms(rows.map(([term, money]) => [term, money && formatPrice(money)]))}</dl>`

export function totalsList({ subtotal, discount_total, shipping_total, taxes, total, tax_included }: Totals) {
  const suffix = tax_included ? ', included' : ''
  const unlessZero = (money: Money) => (Number(money.amount) === 0 ? null : money)
  return amountList([
    ['Subtotal', subtotal],
    ['Discounts', unlessZero({ ...discount_total, amount: `-${discount_total.amount}` })],
    ['Delivery', unlessZero(shipping_total)],
    ...taxes.map((one): Row<Money> => [`${one.name} ${formatTaxRate(one.rate)}${suffix}`, one.amount]),
    ['Total', total],
  ])
}

export const formatAddress = ({ line1, line2, city, region, country }: Omit<Address, 'postal_code'>): string =>
  [...new Set([line1, line2, city, region, country])].filter(Boolean).join(', ')
