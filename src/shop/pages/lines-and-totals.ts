import { html, nothing } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'
import type { CartLine, InvoiceDetail, Money, Totals } from '../../client/browser.ts'
import { formatPrice, formatTaxRate } from './formats.ts'
import { picture, productPath } from './product-parts.ts'

export type Row<Value> = readonly [term: string, value: Value | null | undefined]

/** The rows of a `dl` that have a value. */
export const terms = (rows: readonly Row<unknown>[]) =>
  rows.map(([term, value]) => (value ? html`<dt>${term}</dt><dd>${value}</dd>` : nothing))

/** The `line_id` keeps the elements of a line together, with what is being typed. The `quantity` is a text, or a control. */
type ShownLine = Pick<InvoiceDetail['lines'][number], 'sku'> &
  Partial<Pick<CartLine, 'line_id' | 'thumb_url'>> &
  Pick<CartLine, 'name' | 'line_total'> & { note?: unknown; noTotal?: string; quantity: unknown; removal?: unknown }

/** The lines of a cart, an order or an invoice, with a summary beside them, or below them on a phone. */
export const lineTable = (lines: readonly ShownLine[], summary: unknown) => html`
  <div class="two">
    <ul class="lines">${repeat(lines, ({ line_id }, index) => line_id ?? index, lineItem)}</ul>
    <section class="sheet" aria-label="Summary">${summary}</section>
  </div>`

const lineItem = ({ sku, name, thumb_url, note, quantity, line_total, noTotal, removal }: ShownLine) => html`
  <li>
    ${thumb_url === undefined ? nothing : picture(thumb_url, '', 64)}
    <div class="what">
      ${sku ? html`<a href=${productPath(sku)}>${name}</a>` : name} <p class="soft">${sku} ${note}</p>
    </div> <div>${quantity}</div>
    <div class="amount">${line_total ? `${formatPrice(line_total)} with tax` : noTotal} ${removal}</div>
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
