/** What a page is opened with: the parts of its path, and its query. */
export type PageRequest = { parts: readonly string[]; query: URLSearchParams }

export const open = (path: string): void => location.assign(path)

/** The path of the list with one parameter changed, from its first page. */
export function withParameter(query: URLSearchParams, change: (next: URLSearchParams) => void): string {
  const next = new URLSearchParams(query)
  next.delete('offset')
  change(next)
  return `/shop${next.size > 0 ? `?${next}` : ''}`
}

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
