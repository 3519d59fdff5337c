import { ForecourtError } from '../../client/browser.ts'
import { loadAccount, settings } from './api-and-account.ts'
import { type Child, el, link } from './dom.ts'
import { showHeader } from './header.ts'
import { showList } from './list-page.ts'
import { followStock } from './live-stock.ts'
import { followLinks, type PageRequest, reload, restoreScroll } from './navigation.ts'
import { describeError } from './notices.ts'
import { showProduct } from './product-page.ts'
import { showSandboxPanel } from './sandbox-panel.ts'

type Page = (request: PageRequest) => Promise<Child>

/** The pages of shoppers are loaded when they are opened: the first products need fewer files. */
const pages: readonly [path: RegExp, show: Page][] = [
  [/^\/shop$/, showList],
  [/^\/shop\/products\/([^/]+)$/, showProduct],
  [/^\/shop\/sign-in$/, async (request) => (await import('./sign-in-page.ts')).showSignIn(request)],
  [/^\/shop\/register$/, async (request) => (await import('./sign-in-page.ts')).showRegistration(request)],
  [/^\/shop\/confirm$/, async (request) => (await import('./sign-in-page.ts')).showConfirmation(request)],
  [/^\/shop\/cart$/, async () => (await import('./cart-page.ts')).showCart()],
  [/^\/shop\/checkout$/, async () => (await import('./checkout-page.ts')).showCheckout()],
  [/^\/shop\/account$/, async () => (await import('./account-page.ts')).showAccount()],
  [/^\/shop\/orders\/([^/]+)$/, async (request) => (await import('./order-page.ts')).showOrder(request)],
  [/^\/shop\/invoices\/([^/]+)$/, async (request) => (await import('./order-page.ts')).showInvoice(request)],
]

const main = document.querySelector('main')!
let shownPath = ''
let opened = 0

/** Shows the page of the address. The last page stays until the next one is complete; of two that were opened, the later one counts. */
async function show(): Promise<void> {
  const number = ++opened
  const { pathname, search } = location
  main.setAttribute('aria-busy', 'true')
  const create = () => createPage(pathname, new URLSearchParams(search))
  const content = await create().catch((error) => (isUnauthorized(error) ? signedOutPage(create) : failurePage(error)))
  if (number !== opened) return
  const focusedId = document.activeElement?.id
  main.replaceChildren(el('div', {}, content))
  main.removeAttribute('aria-busy')
  document.title = `${main.querySelector('h1')?.textContent ?? ''} · ${settings.name}`
  // The control that was used is a new element now. On another page, screen readers start at its beginning.
  if (main.contains(document.activeElement) || document.activeElement === document.body)
    document.getElementById(focusedId || '')?.focus({ preventScroll: true })
  if (shownPath && shownPath !== pathname) main.focus({ preventScroll: true })
  shownPath = pathname
  restoreScroll()
}

async function createPage(path: string, query: URLSearchParams): Promise<Child> {
  for (const [pattern, page] of pages) {
    const found = pattern.exec(path)
    if (found) return page({ parts: found.slice(1).map(decodeURIComponent), query })
  }
  return missingPage()
}

const isUnauthorized = (error: unknown) => error instanceof ForecourtError && error.status === 401

/** Shows the page as visitors see it. Some pages are for shoppers only. */
async function signedOutPage(create: () => Promise<Child>): Promise<Child> {
  const content = await create().catch((error) =>
    isUnauthorized(error) ? el('h1', {}, 'Sign in first') : failurePage(error),
  )
  return [el('p', { class: 'notice' }, 'You are signed out. ', link('/shop/sign-in', 'Sign in')), content]
}

const missingPage = (kind = 'page'): Child => [el('h1', {}, `There is no such ${kind}`), link('/shop', 'All products')]

function failurePage(error: unknown): Child {
  const kind = /(product|order|invoice)s\//.exec(location.pathname)?.[1]
  if (error instanceof ForecourtError && error.status === 404) return missingPage(kind)
  return el(
    'section',
    { class: 'failure' },
    el('h1', {}, 'This page cannot be shown right now'),
    el('p', {}, describeError(error)),
    error instanceof ForecourtError && error.requestId && el('p', { class: 'soft' }, `Request ${error.requestId}`),
    el('button', { type: 'button', class: 'primary', click: reload }, 'Try again'),
    ' ',
    link('/shop', 'All products'),
  )
}

await loadAccount()
showHeader(document.querySelector('#header')!)
showSandboxPanel(document.querySelector('#sandbox')!)
addEventListener('popstate', show)
followLinks()
followStock()
show()
