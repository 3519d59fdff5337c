import { html, nothing } from 'lit-html'
import type { Money, OrderDetail } from '../../client/browser.ts'
import { shopper } from './api-and-account.ts'
import { formatCode, formatDate, formatLineTotal, formatPrice } from './format.ts'
import { open, type PageRequest, reload } from './navigation.ts'
import { action, sectionNotices } from './notices.ts'
import { amountList, formatAddress, lineList, totalsList, withSummary } from './tables.ts'

const POLL_MS = 3_000

export async function showOrder({ parts: [order_id = ''], query }: PageRequest) {
  const order = await shopper.getOrder({ order_id })
  const { order_number, status, placed_at, po_number, shipping_address, shipments, invoices } = order
  if (status === 'PENDING') pollOrder()
  const thanks =
    status === 'PENDING'
      ? 'Thank you. We are confirming your order; this page will say when it is done.'
      : 'Thank you for your order.'
  const summary = html`
    ${totalsList(order.totals)}
    ${shipping_address && html`<p>To ${formatAddress(shipping_address)}</p>`}
    ${shipments.map(
      ({ carrier, tracking_number, shipped_at }) => html`
      <p>Shipped on ${formatDate(shipped_at)} ${carrier} ${tracking_number}</p>`,
    )}
    ${invoices?.map(
      ({ invoice_id, invoice_number }) => html`
      <p><a href="/shop/invoices/${invoice_id}">Invoice ${invoice_number}</a></p>`,
    )}
    ${orderActions(order)}`
  return html`
    ${query.has('placed') ? html`<p class="success">${thanks}</p>` : nothing}
    <h1>Order ${order_number}</h1>
    <p>
      <span class="tag">${formatCode(status)}</span>
      placed on ${formatDate(placed_at)}${po_number && `, your number ${po_number}`}
    </p>
    ${sectionNotices(order.errors)}
    ${withSummary(lines(order.lines), summary)}`
}

/** Accounting has not confirmed the order yet: a page that is still open is shown again until it has. */
function pollOrder(): void {
  const { pathname } = location
  setTimeout(() => location.pathname === pathname && reload(), POLL_MS)
}

interface DocumentLine {
  sku: string | null
  name?: string
  description?: string
  thumb_url?: string | null
  quantity: number
  uom: string | null
  line_total: Money
}

const lines = (documentLines: readonly DocumentLine[]) =>
  lineList(
    documentLines.map(({ name = '', description = name, quantity, uom, line_total, ...line }) => {
      return { ...line, name: description, quantity: `${quantity} ${uom ?? ''}`, amount: formatLineTotal(line_total) }
    }),
  )

function orderActions({ order_id, cancellable }: OrderDetail) {
  const cancel = async () => {
    await shopper.cancelOrder({ order_id, body: { reason: 'CUSTOMER_REQUEST' } })
    open(`/shop/orders/${order_id}`)
  }
  return cancellable ? action('Cancel the order', cancel) : nothing
}

export async function showInvoice({ parts: [invoice_id = ''] }: PageRequest) {
  const invoice = await shopper.getInvoice({ invoice_id })
  const { invoice_number, status, issued_at, due_date, payments, order_id, order_number } = invoice
  const summary = html`
    ${amountList([
      ['Subtotal', invoice.subtotal],
      ['Tax', invoice.tax_total],
      ['Total', invoice.total],
      ['Paid', invoice.amount_paid],
      ['To pay', invoice.balance],
    ])}
    ${payments.map(
      ({ paid_at, amount, method }) => html`
      <p class="soft">${formatPrice(amount)} on ${formatDate(paid_at)} ${method && formatCode(method)}</p>`,
    )}
    ${order_id && html`<p><a href="/shop/orders/${order_id}">Order ${order_number}</a></p>`}`
  return html`
    <h1>Invoice ${invoice_number}</h1>
    <p><span class="tag">${formatCode(status)}</span> issued on ${formatDate(issued_at)}, due on ${formatDate(due_date)}</p>
    ${sectionNotices(invoice.errors)}
    ${withSummary(lines(invoice.lines), summary)}`
}
