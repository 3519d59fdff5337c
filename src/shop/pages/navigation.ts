/** What a page is opened with: the parts of its path, and its query. */
export interface PageRequest {
  parts: readonly string[]
  query: URLSearchParams
}

/** Shows the current page again, with what is true now. */
export const reload = (): boolean => dispatchEvent(new Event('popstate'))

export function open(path: string): void {
  history.pushState(null, '', path)
  reload()
}

/** Opens links into the shop without loading the document again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!target || !isPlain || target.target || !target.pathname.startsWith('/shop')) return
    if (target.hash && target.pathname === location.pathname) return
    event.preventDefault()
    open(target.pathname + target.search)
    scrollTo(0, 0)
  })
}
