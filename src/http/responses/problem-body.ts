import type { Problem } from '../../errors.ts'
import { problemTypes } from '../../problem-types.ts'

/** Returns a problem as JSON: RFC 9457, and FastAPI's `{"detail": string}` at the same time. */
export function formatProblem(
  { code, status, detail, members }: Pick<Problem, 'code' | 'status' | 'detail'> & Partial<Pick<Problem, 'members'>>,
  requestId: string,
): string {
  return JSON.stringify({
    type: 'about:blank',
    title: problemTypes[code][1],
    status,
    detail,
    code,
    request_id: requestId,
    ...members,
  })
}

/** Returns the media type of a problem: `application/problem+json` for a client that accepts it by name. */
export const problemContentType = (accept: string): string =>
  accept.includes('application/problem+json') ? 'application/problem+json' : 'application/json'
