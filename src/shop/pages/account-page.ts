import { html, nothing } from 'lit-html'
import type { Pagination } from '../../client/browser.ts'
import { account, isSignedOut, shopper } from './api-and-account.ts'
import { formatCode, formatDate, formatPrice, formatShopper } from './formats.ts'
import { terms } from './lines-and-totals.ts'
import { type PageRequest, pageLinks } from './navigation.ts'
import { describeError, notice, sectionNotices } from './notices-and-forms.ts'

const PAGE_SIZE = 10

/** Credit, orders and invoices. Each is read by itself: one that fails says so, and the others are shown. */
export async function showAccount({ query }: PageRequest) {
  if (!account.isSignedIn) return html`<h1>Your account</h1><a href="/shop/sign-in">Sign in</a>`
  const parts = [part('Credit', credit()), part('Orders', orders(query)), part('Invoices', invoices(query))]
  const [me, ...sections] = await Promise.all([account.me, ...parts])
  return html`
    <h1>${formatShopper(me)}</h1> ${me && html`<p class="soft">${me.email}</p>`}
    ${sections}`
}

async function part(title: string, content: Promise<unknown>) {
  const shown = await content.catch((error) => {
    if (isSignedOut(error)) throw error
    return notice(`${title} could not be read right now. ${describeError(error)}`)
  })
  return html`<section id=${title}><h2>${title}</h2>${shown}</section>`
}

async function credit() {
  const status = await shopper.getCreditStatus()
  if (!status.enabled) return html`<p>You pay on delivery.</p>`
  const { credit_limit, available_credit, overdue_balance } = status
  const amounts = Object.entries({ Limit: credit_limit, Left: available_credit, Overdue: overdue_balance })
  const rows = amounts.map(([term, money]) => [term, money && formatPrice(money)] as const)
  return html`${sectionNotices(status.errors)}<dl>${terms([...rows, ['Terms', status.terms?.description]])}</dl>`
}

async function orders(query: URLSearchParams) {
  const { data, pagination } = await shopper.listOrders({ limit: PAGE_SIZE, offset: Number(query.get('Orders')) })
  const rows = data.map(({ order_id, order_number, placed_at, status, total }) => {
    const link = html`<a href="/shop/orders/${order_id}">${order_number ?? order_id}</a>`
    return { Order: link, Placed: formatDate(placed_at), Status: formatCode(status), Total: formatPrice(total) }
  })
  return pagedTable('Orders', rows, pagination, query)
}

async function invoices(query: URLSearchParams) {
  const { data, pagination } = await shopper.listInvoices({ limit: PAGE_SIZE, offset: Number(query.get('Invoices')) })
  const rows = data.map(({ invoice_id, invoice_number, due_date, status, balance }) => {
    const link = html`<a href="/shop/invoices/${invoice_id}">${invoice_number}</a>`
    return { Invoice: link, Due: formatDate(due_date), Status: formatCode(status), 'To pay': formatPrice(balance) }
  })
  return pagedTable('Invoices', rows, pagination, query)
}

/** The newest rows are on the first page. On a phone, the cells of a row are shown below each other. */
function pagedTable(name: string, rows: readonly object[], page: Pagination, query: URLSearchParams) {
  const pathFrom = (offset: number) =>
    `/shop/account?${new URLSearchParams({ ...Object.fromEntries(query), [name]: `${offset}` })}#${name}`
  const cells = (row: object) => Object.entries(row).map(([head, cell]) => html`<td data-head=${head}>${cell}</td>`)
  const heads = Object.keys(rows[0] ?? {}).map((head) => html`<th scope="col">${head}</th>`)
  return html`
    ${rows.length === 0 ? html`<p>No ${name.toLowerCase()} yet.</p>` : nothing}
    <table class="data" ?hidden=${rows.length === 0}><caption class="unseen">${name}</caption>
      <thead><tr>${heads}</tr></thead> <tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
    </table>
    ${pageLinks(page, `Pages of ${name.toLowerCase()}`, pathFrom)}`
}
