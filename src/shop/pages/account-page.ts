import { html } from 'lit-html'
import { account, isSignedOut, shopper } from './api-and-account.ts'
import { describeError, notice, sectionNotices } from './notices-and-forms.ts'
import { formatCode, formatDate, formatPrice, terms } from './page-parts.ts'

const SHOWN = 10

/** Credit, orders and invoices. Each is read by itself: one that fails says so, and the others are shown. */
export async function showAccount() {
  const { me, isSignedIn } = account
  if (!isSignedIn) return html`<h1>Your account</h1><a href="/shop/sign-in">Sign in</a>`
  const sections = await Promise.all([part('Credit', credit()), part('Orders', orders()), part('Invoices', invoices())])
  return html`
    <h1>${me?.company ?? me?.first_name ?? 'Your account'}</h1>
    ${me && html`<p class="soft">${me.email}</p>`}
    ${sections}`
}

async function part(title: string, content: Promise<unknown>) {
  const shown = await content.catch((error) => {
    if (isSignedOut(error)) throw error
    return notice(`${title} could not be read right now. ${describeError(error)}`)
  })
  return html`<section><h2>${title}</h2>${shown}</section>`
}

async function credit() {
  const status = await shopper.getCreditStatus()
  if (!status.enabled) return html`<p>You pay on delivery.</p>`
  const { credit_limit, available_credit, overdue_balance } = status
  const amounts = Object.entries({ Limit: credit_limit, Left: available_credit, Overdue: overdue_balance })
  const rows = amounts.map(([term, money]) => [term, money && formatPrice(money)] as const)
  return html`${sectionNotices(status.errors)}<dl>${terms([...rows, ['Terms', status.terms?.description]])}</dl>`
}

async function orders() {
  const { data } = await shopper.listOrders({ limit: SHOWN })
  const rows = data.map(({ order_id, order_number, placed_at, status, total }) => {
    const link = html`<a href="/shop/orders/${order_id}">${order_number ?? order_id}</a>`
    return [link, formatDate(placed_at), formatCode(status), formatPrice(total)]
  })
  return dataTable('Orders', ['Order', 'Placed', 'Status', 'Total'], rows)
}

async function invoices() {
  const { data } = await shopper.listInvoices({ limit: SHOWN })
  const rows = data.map(({ invoice_id, invoice_number, due_date, status, balance }) => {
    const link = html`<a href="/shop/invoices/${invoice_id}">${invoice_number}</a>`
    return [link, formatDate(due_date), formatCode(status), formatPrice(balance)]
  })
  return dataTable('Invoices', ['Invoice', 'Due', 'Status', 'To pay'], rows)
}

/** A table whose cells are shown below each other on a phone. */
function dataTable(caption: string, heads: readonly string[], rows: readonly (readonly unknown[])[]) {
  if (rows.length === 0) return html`<p>No ${caption.toLowerCase()} yet.</p>`
  return html`
    <table class="data">
      <caption class="unseen">${caption}</caption>
      <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows.map((cells) => html`<tr>${cells.map((cell, i) => html`<td data-head=${heads[i]}>${cell}</td>`)}</tr>`)}</tbody>
    </table>`
}
