import { HttpError } from './http-error.ts'

/** Parses a request URL into decoded path segments (a SKU may contain a slash) and query parameters (the last of repeated ones wins). */
export function parseRequestUrl(url: string): { segments: string[]; query: Record<string, string> } {
  const queryStart = url.indexOf('?')
  const path = queryStart < 0 ? url : url.slice(0, queryStart)
  if (!path.startsWith('/')) throw new HttpError(400, 'bad_request', 'path: not absolute')
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent)
    const query = queryStart < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(queryStart + 1)))
    return { segments, query }
  } catch {
    throw new HttpError(400, 'bad_request', 'path: invalid percent-encoding')
  }
}
