import { html, nothing, render } from 'lit-html'
import { ForecourtError } from '../../client/browser.ts'
import { forgetAccount, isSignedOut, loadAccount, settings } from './api-and-account.ts'
import { showAccountLinks, showSearchBox } from './header.ts'
import { showList } from './list-page.ts'
import { followEvents, followNavigation, missingPage, type PageRequest, reload, reloadAfter } from './navigation.ts'
import { announceWait, describeError } from './notices-and-forms.ts'
import { markBandChanges } from './product-parts.ts'
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
let shown = 0
/** Selectors of what has changed since the reading of the newest page began. */
let changed: string[] = []

/** Shows the page of the address. The last page stays until the next one is complete; of two that were opened, the later one counts. A refresh that fails changes nothing. */
async function show(isRefresh = false): Promise<void> {
  const number = ++opened
  changed = []
  const { pathname, search } = location
  const request = { query: new URLSearchParams(search), isRefresh, isOpen: () => number === opened }
  if (!isRefresh) {
    showQuery()
    main.setAttribute('aria-busy', 'true')
  }
  const wait = isRefresh ? 0 : announceWait()
  const content = await createPage(pathname, request).catch((error) => (isRefresh ? null : failurePage(error)))
  clearTimeout(wait)
  if (number !== opened) return
  shown = number
  if (content === null) return
  const focused = document.activeElement
  // A page that is shown again keeps its elements, with the focus and what is being typed.
  if (shownPath !== pathname) main.replaceChildren(document.createElement('div'))
  markBandChanges(() => render(content, main.firstElementChild as HTMLElement))
  main.removeAttribute('aria-busy')
  document.title = `${main.querySelector('h1')?.textContent ?? ''} · ${settings.name}`
  // Screen readers start at the beginning of another page, or of one without the part that had the focus.
  if ((shownPath && shownPath !== pathname) || !focused?.isConnected) main.focus({ preventScroll: true })
  shownPath = pathname
  if (!isRefresh) showAccountLinks()
  refresh()
}

/** Reads the page again when something on it has changed. */
function refresh(...selectors: string[]): void {
  changed.push(...selectors)
  if (shown !== opened) return
  const isOnPage = changed.length > 0 && main.querySelector(changed.join())
  changed = []
  if (isOnPage) show(true)
}

async function createPage(path: string, request: Omit<PageRequest, 'parts'>): Promise<unknown> {
  for (const [pattern, load] of pages) {
    const found = pattern.exec(path)
    if (found) return (await load().catch(failToLoad))({ ...request, parts: found.slice(1).map(decodeURIComponent) })
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
followEvents(refresh)
// Another tab has signed in or out. The vehicle of a list is in its address.
addEventListener('storage', ({ key }) => {
  if (key === VEHICLE) return
  loadAccount()
  reload()
})
show()
