import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { startScriptedUpstream } from './scripted-upstream.ts'

/** A request of an adapter, and the response of a real system. */
export interface RecordedExchange {
  asked: unknown
  status: number
  answer: unknown
}

/** Starts a system for an adapter that responds to each request body as `answer` says, unless `answers` is set to false. */
export async function startRecordedUpstream(answer: (asked: unknown) => Omit<RecordedExchange, 'asked'>) {
  const asked: unknown[] = []
  const headers: IncomingHttpHeaders[] = []
  const paths: string[] = []
  const system = { asked, headers, paths, answers: true }
  const upstream = await startScriptedUpstream((response, { body, path, headers: requestHeaders }) => {
    const requestBody: unknown = JSON.parse(body)
    asked.push(requestBody)
    headers.push(requestHeaders)
    paths.push(path)
    if (!system.answers) return
    const { status, answer: responseBody } = answer(requestBody)
    response.writeHead(status).end(typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody))
  })
  return Object.assign(system, { address: upstream.address, end: () => upstream.close() })
}

/**
 * Returns a function that finds the recorded response of a request. Several responses to equal requests are returned in their order, and
 * the last one again. A request without a recording gets status 418.
 */
export function replayExchanges(
  exchanges: readonly RecordedExchange[],
): (asked: unknown) => Omit<RecordedExchange, 'asked'> {
  const used = new Set<RecordedExchange>()
  return (asked) => {
    const candidates = exchanges.filter((exchange) => isDeepStrictEqual(exchange.asked, asked))
    const match = candidates.find((exchange) => !used.has(exchange)) ?? candidates.at(-1)
    if (match) used.add(match)
    return match ?? { status: 418, answer: `not recorded: ${JSON.stringify(asked)}` }
  }
}
