/** Suffixes that proxies add to the ETag of a response that they compress. */
const PROXY_SUFFIX = /(?:--?gzip|:gzip|-br)"$/

/**
 * Returns true when If-None-Match contains this ETag (RFC 9110, 13.1.2): weak comparison, lists, `*`, and proxy suffixes.
 * The request's Cache-Control is ignored: a 304 is always current, because the ETag has just been compared.
 */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag || isAnyVersion(ifNoneMatch)) return true
  for (const part of ifNoneMatch.split(',')) {
    const tag = part.trim().replace(/^W\//, '')
    if (tag === etag || tag.replace(PROXY_SUFFIX, '"') === etag) return true
  }
  return false
}

/** Returns true if a value has no quotation marks and is not `*`: it matches no ETag (RFC 9110, 8.8.3). */
export const isUnquoted = (ifNoneMatch: string): boolean => !ifNoneMatch.includes('"') && !isAnyVersion(ifNoneMatch)

/** Returns a text for the header `Forecourt-Hint` about such a value. */
export const hintAtUnquotedEtag = (ifNoneMatch: string | undefined): string | null =>
  ifNoneMatch !== undefined && isUnquoted(ifNoneMatch)
    ? 'If-None-Match has no quotation marks, so it matches no ETag. Send the ETag as it arrived, with its quotation marks: If-None-Match: "...".'
    : null

/** Returns true for `*`, which matches every version: the client does not name the version that it has. */
export const isAnyVersion = (ifNoneMatch: string | undefined): boolean => ifNoneMatch?.trim() === '*'
