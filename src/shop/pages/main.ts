import { html, nothing, render } from 'lit-html'
import { ForecourtError } from '../../client/browser.ts'
import { forgetAccount, isSignedOut, loadAccount, settings } from './api-and-account.ts'
import { showAccountLinks, showSearchBox } from './header.ts'
import { showList } from './list-page.ts'
import { followStock } from './live-stock.ts'
import { followLinks, type PageRequest, reload, restoreScroll } from './navigation.ts'
import { describeError } from './notices.ts'
import { showProduct } from './product-page.ts'
import { showSandboxPanel } from './sandbox-panel.ts'

/** The pages of shoppers are loaded when they are opened: the first products need fewer files. */
const pages: readonly [path: RegExp, show: (request: PageRequest) => Promise<unknown>][] = [
  [/^\/shop$/, showList],
  [/^\/shop\/products\/([^/]+)$/, showProduct],
  [/^\/shop\/sign-in$/, async (request) => (await import('./sign-in-page.ts')).showSignIn(request)],
  [/^\/shop\/cart$/, async () => (await import('./cart-page.ts')).showCart()],
  [/^\/shop\/checkout$/, async () => (await import('./checkout-page.ts')).showCheckout()],
  [/^\/shop\/account$/, async () => (await import('./account-page.ts')).showAccount()],
  [/^\/shop\/orders\/([^/]+)$/, async (request) => (await import('./order-page.ts')).showOrder(request)],
  [/^\/shop\/invoices\/([^/]+)$/, async (request) => (await import('./order-page.ts')).showInvoice(request)],
]

const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)!
const main = find('main')
let shownPath = ''
let opened = 0

/** Shows the page of the address. The last page stays until the next one is complete; of two that were opened, the later one counts. */
async function show(): Promise<void> {
  const number = ++opened
  const { pathname, search } = location
  main.setAttribute('aria-busy', 'true')
  const create = () => createPage(pathname, new URLSearchParams(search))
  const content = await create().catch((error) => (isSignedOut(error) ? signedOutPage(create) : failurePage(error)))
  if (number !== opened) return
  const focusedId = document.activeElement?.id
  const page = document.createElement('div')
  render(content, page)
  main.replaceChildren(page)
  main.removeAttribute('aria-busy')
  document.title = `${main.querySelector('h1')?.textContent ?? ''} · ${settings.name}`
  // The control that was used is a new element now. On another page, screen readers start at its beginning.
  if (main.contains(document.activeElement) || document.activeElement === document.body)
    document.getElementById(focusedId || '')?.focus({ preventScroll: true })
  if (shownPath && shownPath !== pathname) main.focus({ preventScroll: true })
  shownPath = pathname
  restoreScroll()
}

async function createPage(path: string, query: URLSearchParams): Promise<unknown> {
  for (const [pattern, showPage] of pages) {
    const found = pattern.exec(path)
    if (found) return showPage({ parts: found.slice(1).map(decodeURIComponent), query })
  }
  return missingPage()
}

/** Shows the page as visitors see it. Some pages are for shoppers only. */
async function signedOutPage(create: () => Promise<unknown>): Promise<unknown> {
  forgetAccount()
  const content = await create().catch((error) =>
    isSignedOut(error) ? html`<h1>Sign in first</h1>` : failurePage(error),
  )
  return html`<p class="notice">You are signed out. <a href="/shop/sign-in">Sign in</a></p>${content}`
}

const missingPage = (kind = 'page') => html`<h1>There is no such ${kind}</h1><a href="/shop">All products</a>`

function failurePage(error: unknown) {
  const { status = 0, requestId = null } = error instanceof ForecourtError ? error : {}
  if (status === 404) return missingPage(/(product|order|invoice)s\//.exec(location.pathname)?.[1])
  return html`
    <section class="failure">
      <h1>This page cannot be shown right now</h1>
      <p>${describeError(error)}</p>
      ${requestId ? html`<p class="soft">Request ${requestId}</p>` : nothing}
      <button type="button" class="primary" @click=${reload}>Try again</button> <a href="/shop">All products</a>
    </section>`
}

await loadAccount()
showSearchBox(find('#search'))
showAccountLinks(find('#account'))
showSandboxPanel(find('#sandbox'))
addEventListener('popstate', show)
followLinks()
followStock()
show()
