import type { OrderDetail } from '../../client/browser.ts'
import { callAccount, readInvoiceDocument } from './api-and-account.ts'
import { type Child, el, link, terms } from './dom.ts'
import { formatCode, formatDate, formatLineTotal, formatPrice } from './format.ts'
import { open, type PageRequest, reload } from './navigation.ts'
import { action, sectionNotices } from './notices.ts'
import { formatAddress, lineList, totalsList, withSummary } from './tables.ts'

const POLL_MS = 3_000

export async function showOrder({ parts: [order_id = ''], query }: PageRequest): Promise<Child> {
  const order = await callAccount('getOrder', { order_id })
  const { order_number, status, placed_at, lines, totals, errors, invoices } = order
  if (status === 'PENDING') pollOrder()
  return [
    query.has('placed') &&
      el(
        'p',
        { class: 'success' },
        status === 'PENDING'
          ? 'Thank you. We are confirming your order; this page will say when it is done.'
          : 'Thank you for your order.',
      ),
    el('h1', {}, `Order ${order_number ?? ''}`),
    el(
      'p',
      {},
      el('span', { class: 'tag' }, formatCode(status)),
      ` placed on ${formatDate(placed_at)}`,
      order.po_number && `, your number ${order.po_number}`,
    ),
    sectionNotices(errors),
    withSummary(
      lineList(
        lines.map(({ quantity, uom, line_total, ...line }) => ({
          ...line,
          quantity: `${quantity} ${uom}`,
          amount: formatLineTotal(line_total),
        })),
      ),
      totalsList(totals),
      order.delivery && el('p', {}, order.delivery.name, ' ', order.delivery.pickup_place?.name),
      order.shipping_address && el('p', {}, 'To ', formatAddress(order.shipping_address)),
      order.shipments.map(({ carrier, tracking_number, shipped_at }) =>
        el('p', {}, `Shipped on ${formatDate(shipped_at)} `, carrier, ' ', tracking_number),
      ),
      invoices?.map(({ invoice_id, invoice_number }) =>
        el('p', {}, link(`/shop/invoices/${invoice_id}`, `Invoice ${invoice_number}`)),
      ),
      orderActions(order),
    ),
  ]
}

/** Accounting has not confirmed the order yet: a page that is still open is shown again until it has. */
function pollOrder(): void {
  const { pathname } = location
  setTimeout(() => location.pathname === pathname && reload(), POLL_MS)
}

function orderActions({ order_id, cancellable }: OrderDetail): Child {
  const cancel = async () => {
    await callAccount('cancelOrder', { order_id, body: { reason: 'CUSTOMER_REQUEST' } })
    open(`/shop/orders/${order_id}`)
  }
  const again = async () => {
    await callAccount('reorder', { order_id, body: {} })
    dispatchEvent(new Event('shop:cart'))
    open('/shop/cart')
  }
  return el(
    'div',
    { class: 'row' },
    action('Order this again', again),
    cancellable && action('Cancel the order', cancel),
  )
}

async function saveDocument(invoice_id: string, invoice_number: string): Promise<void> {
  const href = URL.createObjectURL(await readInvoiceDocument(invoice_id))
  el('a', { href, download: `${invoice_number}.pdf` }).click()
  URL.revokeObjectURL(href)
}

export async function showInvoice({ parts: [invoice_id = ''] }: PageRequest): Promise<Child> {
  const invoice = await callAccount('getInvoice', { invoice_id })
  const { invoice_number, status, issued_at, due_date, lines, payments, balance, order_id, order_number } = invoice
  const amounts: [string, string][] = [
    ['Subtotal', formatPrice(invoice.subtotal)],
    ['Tax', formatPrice(invoice.tax_total)],
    ['Total', formatPrice(invoice.total)],
    ['Paid', formatPrice(invoice.amount_paid)],
    ['To pay', formatPrice(balance)],
  ]
  return [
    el('h1', {}, `Invoice ${invoice_number}`),
    el(
      'p',
      {},
      el('span', { class: 'tag' }, formatCode(status)),
      ` issued on ${formatDate(issued_at)}, due on ${formatDate(due_date)}`,
    ),
    sectionNotices(invoice.errors),
    withSummary(
      lineList(
        lines.map(({ sku, description, quantity, uom, line_total }) => ({
          sku,
          name: description,
          quantity: `${quantity} ${uom ?? ''}`,
          amount: formatLineTotal(line_total),
        })),
      ),
      el('dl', { class: 'totals' }, terms(amounts)),
      payments.map(({ paid_at, amount, method }) =>
        el(
          'p',
          { class: 'soft' },
          `${formatPrice(amount)} on ${formatDate(paid_at)} ${method ? formatCode(method) : ''}`,
        ),
      ),
      action('Download the PDF', () => saveDocument(invoice_id, invoice_number)),
      order_id && el('p', {}, link(`/shop/orders/${order_id}`, `Order ${order_number ?? ''}`)),
    ),
  ]
}
