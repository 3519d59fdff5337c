import { account, callAccount } from './api-and-account.ts'
import { type Child, el, link, terms } from './dom.ts'
import { formatCode, formatDate, formatPrice } from './format.ts'
import { describeError, notice } from './notices.ts'
import { dataTable } from './tables.ts'

const SHOWN = 10

/** Credit, orders and invoices. Each is read by itself: one that fails says so, and the others are shown. */
export async function showAccount(): Promise<Child> {
  const { me, isSignedIn } = account
  if (!isSignedIn) return [el('h1', {}, 'Your account'), link('/shop/sign-in', 'Sign in')]
  const sections = await Promise.all([part('Credit', credit()), part('Orders', orders()), part('Invoices', invoices())])
  return [
    el('h1', {}, me?.company ?? me?.first_name ?? 'Your account'),
    me && el('p', { class: 'soft' }, me.email),
    sections,
  ]
}

async function part(title: string, content: Promise<Child>): Promise<HTMLElement> {
  const shown = await content.catch((error) => {
    if (!account.isSignedIn) throw error
    return notice(`${title} could not be read right now. ${describeError(error)}`)
  })
  return el('section', {}, el('h2', {}, title), shown)
}

async function credit(): Promise<Child> {
  const {
    enabled,
    credit_limit,
    available_credit,
    overdue_balance,
    terms: payment,
  } = await callAccount('getCreditStatus')
  if (!enabled) return el('p', {}, 'You pay on delivery.')
  const rows: [string, Child][] = [
    ['Limit', credit_limit && formatPrice(credit_limit)],
    ['Left', available_credit && formatPrice(available_credit)],
    ['Overdue', overdue_balance && formatPrice(overdue_balance)],
    ['Terms', payment?.description],
  ]
  return el('dl', {}, terms(rows))
}

async function orders(): Promise<Child> {
  const { data } = await callAccount('listOrders', { limit: SHOWN })
  if (data.length === 0) return el('p', {}, 'No orders yet.')
  const rows = data.map(({ order_id, order_number, placed_at, status, total }) => [
    link(`/shop/orders/${order_id}`, order_number ?? order_id),
    formatDate(placed_at),
    formatCode(status),
    formatPrice(total),
  ])
  return dataTable('Orders', ['Order', 'Placed', 'Status', 'Total'], rows)
}

async function invoices(): Promise<Child> {
  const { data } = await callAccount('listInvoices', { limit: SHOWN })
  if (data.length === 0) return el('p', {}, 'No invoices yet.')
  const rows = data.map(({ invoice_id, invoice_number, due_date, status, balance }) => [
    link(`/shop/invoices/${invoice_id}`, invoice_number),
    formatDate(due_date),
    formatCode(status),
    formatPrice(balance),
  ])
  return dataTable('Invoices', ['Invoice', 'Due', 'Status', 'To pay'], rows)
}
