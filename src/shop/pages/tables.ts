import { html, nothing } from 'lit-html'
import type { Address, Money, Totals } from '../../client/browser.ts'
import { formatPrice } from './format.ts'
import { picture, productPath, type Row, terms } from './product-parts.ts'

interface ShownLine {
  sku: string | null
  name: string
  thumb_url?: string | null
  /** What is below the name. */
  note?: unknown
  /** The quantity, or a control for it. */
  quantity: unknown
  amount: unknown
}

/** The lines of a cart, an order or an invoice. */
export const lineList = (lines: readonly ShownLine[]) => html`<ul class="lines">${lines.map(lineItem)}</ul>`

const lineItem = ({ sku, name, thumb_url, note, quantity, amount }: ShownLine) => html`
  <li>
    ${thumb_url === undefined ? nothing : picture(thumb_url, '', 64)}
    <div class="what">
      ${sku ? html`<a href=${productPath(sku)}>${name}</a>` : name}
      <p class="soft">${sku} ${note}</p>
    </div>
    <div>${quantity}</div>
    <div class="amount">${amount}</div>
  </li>`

/** The last of the amounts is what they come to. */
export const amountList = (rows: readonly Row<Money>[]) => html`
  <dl class="totals">${terms(rows.map(([term, money]) => [term, money && formatPrice(money)]))}</dl>`

export function totalsList({ subtotal, discount_total, shipping_total, taxes, total, tax_included }: Totals) {
  const unlessZero = (money: Money) => (Number(money.amount) === 0 ? null : money)
  return amountList([
    ['Subtotal', subtotal],
    ['Discounts', unlessZero({ ...discount_total, amount: `-${discount_total.amount}` })],
    ['Delivery', unlessZero(shipping_total)],
    ...taxes.map(({ name, rate, amount }): Row<Money> => {
      return [`${name} ${Number(rate) * 100} %${tax_included ? ', included' : ''}`, amount]
    }),
    ['Total', total],
  ])
}

export const formatAddress = ({ line1, line2, city, region, country }: Omit<Address, 'postal_code'>): string =>
  [...new Set([line1, line2, city, region, country])].filter(Boolean).join(', ')

/** Lines with their summary beside them, or below them on a phone. */
export const withSummary = (lines: unknown, summary: unknown) => html`
  <div class="two">${lines}<section class="sheet" aria-label="Summary">${summary}</section></div>`
