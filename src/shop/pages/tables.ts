import type { Address, Money, Totals } from '../../client/browser.ts'
import { type Child, each, el, link, terms } from './dom.ts'
import { formatPrice } from './format.ts'
import { picture, productPath } from './product-parts.ts'

export interface ShownLine {
  sku: string | null
  name: string
  thumb_url?: string | null
  /** What is below the name. */
  note?: Child
  /** The quantity, or a control for it. */
  quantity: Child
  amount: Child
}

/** The lines of a cart, an order or an invoice. */
export const lineList = (lines: readonly ShownLine[]) =>
  el(
    'ul',
    { class: 'lines' },
    lines.map(({ sku, name, thumb_url, note, quantity, amount }) =>
      el(
        'li',
        {},
        thumb_url !== undefined && picture(thumb_url, '', 64),
        el(
          'div',
          { class: 'what' },
          sku ? link(productPath(sku), name) : name,
          el('p', { class: 'soft' }, sku, ' ', note),
        ),
        el('div', {}, quantity),
        el('div', { class: 'amount' }, amount),
      ),
    ),
  )

export function totalsList({
  subtotal,
  discount_total,
  shipping_total,
  taxes,
  total,
  tax_included,
}: Totals): HTMLElement {
  const row = (term: string, money: Money, isHidden = false) => !isHidden && terms([[term, formatPrice(money)]])
  const isZero = ({ amount }: Money) => Number(amount) === 0
  return el(
    'dl',
    { class: 'totals' },
    row('Subtotal', subtotal),
    row('Discounts', { ...discount_total, amount: `-${discount_total.amount}` }, isZero(discount_total)),
    row('Delivery', shipping_total, isZero(shipping_total)),
    taxes.map(({ name, rate, amount }) =>
      row(`${name} ${Number(rate) * 100} %${tax_included ? ', included' : ''}`, amount),
    ),
    el('dt', { class: 'total' }, 'Total'),
    el('dd', { class: 'total' }, formatPrice(total)),
  )
}

export const formatAddress = ({ line1, line2, city, region, country }: Omit<Address, 'postal_code'>): string =>
  [...new Set([line1, line2, city, region, country])].filter(Boolean).join(', ')

/** A table whose cells are shown below each other on a phone. */
export const dataTable = (caption: string, heads: readonly string[], rows: readonly (readonly Child[])[]) =>
  el(
    'table',
    { class: 'data' },
    el('caption', { class: 'unseen' }, caption),
    el('thead', {}, el('tr', {}, each('th', heads, { scope: 'col' }))),
    el(
      'tbody',
      {},
      each(
        'tr',
        rows.map((cells) => each('td', cells)),
      ),
    ),
  )

/** Lines with their summary beside them, or below them on a phone. */
export const withSummary = (lines: Child, ...summary: Child[]) =>
  el('div', { class: 'two' }, lines, el('section', { class: 'sheet', 'aria-label': 'Summary' }, summary))
