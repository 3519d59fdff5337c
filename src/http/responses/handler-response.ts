import type { RequestScope } from '../../upstream/request/request-scope.ts'
import type { ApiResponse } from '../route.ts'

/** The response of a handler, with what decides how long it may be cached. */
export interface HandlerResponse extends ApiResponse {
  /** The data that it is made of, for invalidation. */
  tags: Iterable<string>
  /** Milliseconds since the epoch: it may not be served from a cache after this. */
  cacheableUntil: number
}

/** Returns the JSON of a response's body. */
export const toJson = ({ body }: Pick<ApiResponse, 'body'>): string =>
  typeof body === 'string' ? body : JSON.stringify(body)

export const toHandlerResponse = (response: ApiResponse, { tags, cacheableUntil }: RequestScope): HandlerResponse => ({
  ...response,
  tags,
  cacheableUntil,
})
