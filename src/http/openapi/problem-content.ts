import { type ProblemCode, problemTypes } from '../../problem-types.ts'
import { formatProblem } from '../responses/problem-body.ts'
import type { JsonObject } from './json-object.ts'

/** Returns the content of an error, with an example of each problem. A client gets RFC 9457's media type only if it accepts it by name. */
export function toProblemContent(schema: JsonObject, codes: readonly ProblemCode[] = []): JsonObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
  const content = codes.length > 0 ? { schema, examples } : { schema }
  return { 'application/json': content, 'application/problem+json': content }
}

/** The members that a problem has beyond those of every problem. */
const exampleMembers: Readonly<Partial<Record<ProblemCode, Record<string, unknown>>>> = {
  cart_converted: { order_id: 'ord_NAZSJdKyfXW4MMOaBsCEsz' },
  line_unavailable: { skus: ['BP-1030'] },
  order_not_cancellable: { current_status: 'SHIPPED' },
  subscription_exists: { subscription_id: 'sub_5PGvhY0eQm3nWd8RtXcKza' },
}

function exampleOf(code: ProblemCode): JsonObject {
  const [status, , detail] = problemTypes[code]
  const members = exampleMembers[code] ?? {}
  return JSON.parse(formatProblem({ code, status, detail, members }, 'ucvHrGNiFh-l')) as JsonObject
}
