import { html, nothing, render } from 'lit-html'
import { ForecourtError } from '../../client/browser.ts'
import { forgetAccount, isSignedOut, loadAccount, settings } from './api-and-account.ts'
import { showAccountLinks, showSearchBox } from './header.ts'
import { showList } from './list-page.ts'
import { followStock } from './live-stock.ts'
import { followNavigation, missingPage, type PageRequest, reload, reloadAfter } from './navigation.ts'
import { announceWait, describeError } from './notices-and-forms.ts'
import { showSandboxPanel } from './sandbox-panel.ts'
import { VEHICLE } from './vehicle-picker.ts'

/** All but the list are loaded when they are opened: the first products need fewer files. */
const pages: readonly [path: RegExp, load: () => Promise<(request: PageRequest) => Promise<unknown>>][] = [
  [/^\/shop$/, async () => showList],
  [/^\/shop\/products\/([^/]+)$/, async () => (await import('./product-page.ts')).showProduct],
  [/^\/shop\/sign-in$/, async () => (await import('./sign-in-page.ts')).showSignIn],
  [/^\/shop\/cart$/, async () => (await import('./cart-page.ts')).showCart],
  [/^\/shop\/checkout$/, async () => (await import('./checkout-page.ts')).showCheckout],
  [/^\/shop\/account$/, async () => (await import('./account-page.ts')).showAccount],
  [/^\/shop\/orders\/([^/]+)$/, async () => (await import('./order-and-invoice-pages.ts')).showOrder],
  [/^\/shop\/invoices\/([^/]+)$/, async () => (await import('./order-and-invoice-pages.ts')).showInvoice],
]

const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)!
const main = find('main')
let shownPath = ''
let opened = 0

/** Shows the page of the address. The last page stays until the next one is complete; of two that were opened, the later one counts. */
async function show(): Promise<void> {
  const number = ++opened
  showQuery()
  const { pathname, search } = location
  main.setAttribute('aria-busy', 'true')
  const wait = announceWait()
  const content = await createPage(pathname, new URLSearchParams(search)).catch(failurePage)
  clearTimeout(wait)
  if (number !== opened) return
  const focused = document.activeElement
  // A page that is shown again keeps its elements, with the focus and what is being typed.
  if (shownPath !== pathname) main.replaceChildren(document.createElement('div'))
  render(content, main.firstElementChild as HTMLElement)
  main.removeAttribute('aria-busy')
  document.title = `${main.querySelector('h1')?.textContent ?? ''} · ${settings.name}`
  // Screen readers start at the beginning of another page, or of one without the part that had the focus.
  if ((shownPath && shownPath !== pathname) || !focused?.isConnected) main.focus({ preventScroll: true })
  shownPath = pathname
  showAccountLinks()
}

async function createPage(path: string, query: URLSearchParams): Promise<unknown> {
  for (const [pattern, load] of pages) {
    const found = pattern.exec(path)
    if (found) return (await load().catch(failToLoad))({ parts: found.slice(1).map(decodeURIComponent), query })
  }
  return missingPage()
}

/** For shoppers, a file without a response is like a call without one. */
function failToLoad(cause: unknown): never {
  throw new ForecourtError({ status: 0, code: 'network_error', detail: String(cause), cause })
}

function failurePage(error: unknown) {
  if (isSignedOut(error)) {
    forgetAccount()
    return html`<h1>You are signed out</h1><a href="/shop/sign-in">Sign in</a> · <a href="/shop">All products</a>`
  }
  const { status = 0, code, requestId, retryAfterMs } = error instanceof ForecourtError ? error : {}
  // 422: the address has a filter, an order or an id that does not exist.
  if (status === 404 || status === 422 || error instanceof URIError)
    return missingPage(/(\w+)s\//.exec(location.pathname)?.[1])
  const isLoading = code === 'catalog_loading'
  if (isLoading && retryAfterMs) reloadAfter(retryAfterMs)
  return html`
    <section class="failure">
      <h1>${isLoading ? 'The catalog is being loaded' : 'This page cannot be shown right now'}</h1>
      <p>${describeError(error)}</p>
      ${requestId && !isLoading ? html`<p class="soft">Request ${requestId}</p>` : nothing}
      <button type="button" class="primary" @click=${reload}>Try again</button> <a href="/shop">All products</a>
    </section>`
}

loadAccount()
const showQuery = showSearchBox(find('#search'))
showSandboxPanel(find('#sandbox'), settings.operationsAddress)
followNavigation(show)
followStock()
// Another tab has signed in or out. The vehicle of a list is in its address.
addEventListener('storage', ({ key }) => {
  if (key === VEHICLE) return
  loadAccount()
  reload()
})
show()
