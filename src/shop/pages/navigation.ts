import { html, nothing } from 'lit-html'
import type { Pagination } from '../../client/browser.ts'

/** What a page is opened with: the parts of its path, and its query. A refresh shows what has changed of it. */
export type PageRequest = { parts: readonly string[]; query: URLSearchParams; isRefresh: boolean; isOpen(): boolean }

export const open = (path: string): void => location.assign(path)

/** The path of the list with one parameter changed, from its first page. */
export function withParameter(query: URLSearchParams, change: (next: URLSearchParams) => void): string {
  const next = new URLSearchParams(query)
  next.delete('offset')
  change(next)
  return `/shop${next.size > 0 ? `?${next}` : ''}`
}

/** The pages before and after one, if there are any. */
export function pageLinks(page: Pagination, label: string, pathFrom: (offset: number) => string) {
  const { limit, offset, count, has_more, total } = page
  if (offset === 0 && !has_more) return nothing
  return html`
    <nav class="pages" aria-label=${label}>
      ${offset > 0 ? html`<a href=${pathFrom(Math.max(0, offset - limit))}>← Previous</a>` : nothing}
      <span class="soft" role="status">${offset + 1}–${offset + count} of ${total ?? 'many'}</span>
      ${has_more ? html`<a href=${pathFrom(offset + limit)}>Next →</a>` : nothing}
    </nav>`
}

export const missingPage = (kind = 'page') => html`<h1>There is no such ${kind}</h1><a href="/shop">All products</a>`

/** Shows the current page again, with what is true now. */
export const reload = (): void => location.reload()

let timer: ReturnType<typeof setTimeout> | undefined
/** Shows the current page again after a while, if no other one is opened. */
export function reloadAfter(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(reload, ms)
}

/** Shows pages without loading the document again. The browser keeps their history and scroll positions. */
export function followNavigation(show: () => Promise<void>): void {
  // A browser without this API loads the document again.
  window.navigation?.addEventListener('navigate', (event) => {
    const { canIntercept, hashChange, destination, navigationType } = event
    if (!canIntercept || hashChange || !new URL(destination.url).pathname.startsWith('/shop')) return
    clearTimeout(timer)
    const scroll = navigationType === 'reload' ? 'manual' : 'after-transition'
    event.intercept({ handler: show, focusReset: 'manual', scroll })
  })
}

const RETRY_MS = 5_000

/** Calls `note` with the selector of what has changed. Only tabs that are looked at have a stream: for all tabs together, a browser opens six connections to a server without HTTP/2. */
export function followEvents(note: (selector: string) => void): void {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  function connect(): void {
    stream?.close()
    clearTimeout(timer)
    if (document.hidden) return
    stream = new EventSource('/shop/events')
    // There may have been events before.
    stream.onopen = () => note('[data-sku]')
    stream.onmessage = ({ data }) => note(`[data-sku="${CSS.escape(JSON.parse(data).sku)}"]`)
    stream.onerror = () => {
      stream?.close()
      // After a restart of the server, not all browsers come back at once.
      timer = setTimeout(connect, RETRY_MS * (1 + Math.random()))
    }
  }
  document.addEventListener('visibilitychange', connect)
  connect()
}

/** Where site data are blocked, values are forgotten with the document. */
function openStorage(name: 'localStorage' | 'sessionStorage'): Record<string, string | undefined> {
  try {
    return window[name]
  } catch {
    return {}
  }
}

export const stored = openStorage('localStorage')
export const storedInTab = openStorage('sessionStorage')
