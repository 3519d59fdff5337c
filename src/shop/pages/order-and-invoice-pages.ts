import { html, nothing } from 'lit-html'
import type { InvoiceDetail, OrderDetail } from '../../client/browser.ts'
import { shopper } from './api-and-account.ts'
import { formatAddress, formatCode, formatDate, formatPrice } from './formats.ts'
import { amountList, lineTable, totalsList } from './lines-and-totals.ts'
import { open, type PageRequest, reloadAfter } from './navigation.ts'
import { action, sectionNotices } from './notices-and-forms.ts'

const POLL_MS = 3_000

export async function showOrder({ parts: [order_id = ''], query }: PageRequest) {
  const order = await shopper.getOrder({ order_id })
  const { order_number, status, placed_at, po_number, shipping_address, shipments, invoices } = order
  const isPending = status === 'PENDING'
  // Accounting has not confirmed the order yet.
  if (isPending) reloadAfter(POLL_MS)
  const summary = html`
    ${totalsList(order.totals)} ${shipping_address && html`<p>To ${formatAddress(shipping_address)}</p>`}
    ${shipments.map((one) => html`<p>Shipped on ${formatDate(one.shipped_at)} ${one.carrier} ${one.tracking_number}</p>`)}
    ${invoices?.map((one) => html`<p><a href="/shop/invoices/${one.invoice_id}">Invoice ${one.invoice_number}</a></p>`)}
    ${cancelButton(order)}`
  return html`
    ${query.has('placed') ? html`<p class="success">Thank you for your order.</p>` : nothing}
    <h1>Order ${order_number}</h1>
    <p><span class="tag">${formatCode(status)}</span> placed on ${formatDate(placed_at)}${po_number && `, purchase order ${po_number}`}</p>
    ${isPending ? html`<p class="notice">We are confirming your order. This page will say when it is done.</p>` : nothing}
    ${sectionNotices(order.errors)}
    ${lineTable(order.lines.map(toShownLine), summary)}`
}

function cancelButton({ order_id, cancellable }: OrderDetail) {
  if (!cancellable) return nothing
  const cancel = () =>
    shopper.cancelOrder({ order_id, body: { reason: 'CUSTOMER_REQUEST' } }).then(() => open(`/shop/orders/${order_id}`))
  return html`
    <details><summary>Cancel the order</summary> <p>Nothing of it will be delivered.</p> ${action('Yes, cancel it', cancel)}</details>`
}

export async function showInvoice({ parts: [invoice_id = ''] }: PageRequest) {
  const invoice = await shopper.getInvoice({ invoice_id })
  const { invoice_number, status, issued_at, due_date, order_id, order_number } = invoice
  const payment = ({ paid_at, amount, method }: (typeof invoice.payments)[number]) => html`
    <p class="soft">${formatPrice(amount)} on ${formatDate(paid_at)} ${method && formatCode(method)}</p>`
  const { subtotal, tax_total, total, amount_paid, balance } = invoice
  const amounts = { Subtotal: subtotal, Tax: tax_total, Total: total, Paid: amount_paid, 'To pay': balance }
  const order = order_id && html`<p><a href="/shop/orders/${order_id}">Order ${order_number}</a></p>`
  return html`
    <h1>Invoice ${invoice_number}</h1>
    <p><span class="tag">${formatCode(status)}</span> issued on ${formatDate(issued_at)}, due on ${formatDate(due_date)}</p>
    ${sectionNotices(invoice.errors)}
    ${lineTable(invoice.lines.map(toShownLine), html`${amountList(Object.entries(amounts))} ${invoice.payments.map(payment)} ${order}`)}`
}

const toShownLine = (line: OrderDetail['lines'][number] | InvoiceDetail['lines'][number]) => ({
  ...line,
  name: 'name' in line ? line.name : line.description,
  quantity: `${line.quantity} ${line.uom ?? ''}`,
})
