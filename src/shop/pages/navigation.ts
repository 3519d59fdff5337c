/** What a page is opened with: the parts of its path, and its query. */
export interface PageRequest {
  parts: readonly string[]
  query: URLSearchParams
}

/** Shows the current page again, with what is true now. */
export const reload = (): boolean => dispatchEvent(new Event('popstate'))

/** Opens a path. Another page appears at its top; a choice on a page does not move it. */
export function open(path: string, top = isSamePage(path) ? scrollY : 0): void {
  keepScroll()
  history.pushState({ top }, '', path)
  reload()
}

const isSamePage = (path: string): boolean => new URL(path, location.href).pathname === location.pathname

/** Each entry of the history has its own scroll position. The browser would restore it before the page is complete. */
const keepScroll = (): void => history.replaceState({ top: scrollY }, '')

export const restoreScroll = (): void => scrollTo(0, history.state?.top ?? 0)

/** Opens links into the shop without loading the document again. */
export function followLinks(): void {
  history.scrollRestoration = 'manual'
  // While another page is read, the position is still that of the last one.
  document.addEventListener('scrollend', () => document.querySelector('[aria-busy]') ?? keepScroll())
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!target || !isPlain || target.target || !target.pathname.startsWith('/shop')) return
    if (target.hash && target.pathname === location.pathname) return
    event.preventDefault()
    open(target.pathname + target.search, 0)
  })
}
