/** What compressing proxies add to a tag that they re-code. */
const SUFFIX = /(?:--?gzip|:gzip|-br)"$/

/**
 * Whether If-None-Match names this tag (RFC 9110, 13.1.2): weak comparison, lists and `*`, and the marks that proxies leave on a tag.
 * It is judged alone: a Cache-Control of the request does not stop a 304, because the tag has just been compared here.
 */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  for (const part of ifNoneMatch.split(',')) {
    const tag = part.trim().replace(/^W\//, '')
    if (tag === etag || tag.replace(SUFFIX, '"') === etag) return true
  }
  return false
}
