import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from '../route.ts'

/** The length of `{}`, which some clients send when there is no body. */
const EMPTY_BYTES = 2

/** The call to make instead, by operation. */
const OTHER_CALLS: Readonly<Record<string, string>> = {
  createCart: ' To add lines: POST /v1/carts/{cart_id}/lines.',
}

/** Returns a text for the header `Forecourt-Hint` about a body that the route does not read, or `null`. */
export function hintAtIgnoredBody(
  { method, input, operationId }: Pick<Route, 'method' | 'input' | 'operationId'>,
  headers: IncomingHttpHeaders,
): string | null {
  if (method === 'GET' || input.body || !(Number(headers['content-length']) > EMPTY_BYTES)) return null
  return `This call takes no body, so the one that was sent was ignored.${OTHER_CALLS[operationId] ?? ''}`
}
