const MAX_PATH_LENGTH = 2_000
/** A placeholder for the origin of this listener. */
const LOCAL_ORIGIN = 'http://forecourt.invalid'

/** Returns the path and query if they are on this listener, or else `/`. Prevents open redirects. */
export function toLocalPath(to: string | null): string {
  if (to === null || to.length > MAX_PATH_LENGTH || !to.startsWith('/')) return '/'
  const url = URL.parse(to, LOCAL_ORIGIN)
  if (url?.origin !== LOCAL_ORIGIN) return '/'
  const path = `${url.pathname}${url.search}`
  return /^\/(?![/\\])/.test(path) ? path : '/'
}
