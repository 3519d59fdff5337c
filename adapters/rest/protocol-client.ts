import type { Call } from '../../src/ports/call.ts'
import type { BinaryResponse, HttpClient, HttpRequest, ResponseSchema } from '../../src/ports/http-client.ts'
import type { RestSettings } from './adapter.ts'

/** Returns whether a body of a 404 is the protocol's own, with one of these error codes. */
function hasErrorCode(text: string, codes: readonly string[]): boolean {
  try {
    return codes.includes((JSON.parse(text) as { error: string }).error)
  } catch {
    return false
  }
}

/** The 404 for a thing that does not exist. */
const isNotFound = (text: string) => hasErrorCode(text, ['not_found'])

/** The 404 for an operation that the system does not have. Older systems say `not_found`. */
export const isNotOffered = (text: string) => hasErrorCode(text, ['not_offered', 'not_found'])

/** Returns whether an id in the path is `.` or `..`, which would name another path: no system has a thing with such an id. */
const hasDotSegment = (path: string) => path.split('/').some((segment) => segment === '.' || segment === '..')

/** Returns the HTTP client with the bearer token that every call of the protocol carries. */
export function createProtocolClient(client: HttpClient, { token }: RestSettings) {
  const withToken = (request: HttpRequest): HttpRequest => ({
    isNotFound,
    ...request,
    headers: { authorization: `Bearer ${token}` },
  })
  return {
    json: <T>(shape: ResponseSchema<T>, request: HttpRequest, call: Call): Promise<T> =>
      client.json(shape, withToken(request), call),
    jsonOrNull: async <T>(shape: ResponseSchema<T>, request: HttpRequest, call: Call): Promise<T | null> =>
      hasDotSegment(request.path) ? null : client.jsonOrNull(shape, withToken(request), call),
    bytes: async (request: HttpRequest, call: Call): Promise<BinaryResponse | null> =>
      hasDotSegment(request.path) ? null : client.bytes(withToken(request), call),
  }
}

export type ProtocolClient = ReturnType<typeof createProtocolClient>
