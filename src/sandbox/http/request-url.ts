import { HttpError } from './http-error.ts'

/** A request's path as decoded segments, so that a SKU may hold a slash; and its query, the last of repeated parameters winning. */
export function parseRequestUrl(url: string): { segments: string[]; query: Record<string, string> } {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (!path.startsWith('/')) throw new HttpError(400, 'bad_request', 'path: not absolute')
  try {
    const segments = path.slice(1).split('/').map(decodeURIComponent)
    const query = mark < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)))
    return { segments, query }
  } catch {
    throw new HttpError(400, 'bad_request', 'path: a percent sign that encodes nothing')
  }
}
