import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from '../route.ts'

/** The length of `{}`, which some clients send when there is no body. */
const EMPTY_BYTES = 2
const MAX_NAMES = 3

/** The call to make instead, by operation. */
const OTHER_CALLS: Readonly<Record<string, string>> = {
  createCart: ' To add lines: POST /v1/carts/{cart_id}/lines.',
}

/** Returns true if the request has a body with something in it. */
export const hasBody = (headers: IncomingHttpHeaders): boolean => Number(headers['content-length']) > EMPTY_BYTES

/** Returns a text for the header `Forecourt-Hint` about a body that the route does not read, or `null`. */
export function hintAtIgnoredBody(
  { method, input, operationId }: Pick<Route, 'method' | 'input' | 'operationId'>,
  headers: IncomingHttpHeaders,
): string | null {
  if (input.body || !hasBody(headers)) return null
  if (method === 'GET') return `The body of a GET is not read.${describeParameters(input)}`
  return `This call takes no body, so the one that was sent was ignored.${OTHER_CALLS[operationId] ?? ''}`
}

function describeParameters({ query }: Route['input']): string {
  const names = Object.keys(query?.properties ?? {}).slice(0, MAX_NAMES)
  return names.length === 0
    ? ' This call has no query parameters either.'
    : ` Send query parameters instead, such as ${names.join(', ')}.`
}
