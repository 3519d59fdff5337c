import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { startScriptedUpstream } from './scripted-upstream.ts'

/** One question to a system, as an adapter sends it, and the answer that a real system gave. */
export interface RecordedExchange {
  asked: unknown
  status: number
  answer: unknown
}

/** Plays a system for an adapter: every question gets what `answer` has for its body, as long as it `answers` at all. */
export async function startRecordedUpstream(answer: (asked: unknown) => Omit<RecordedExchange, 'asked'>) {
  const asked: unknown[] = []
  const headers: IncomingHttpHeaders[] = []
  const system = { asked, headers, answers: true }
  const upstream = await startScriptedUpstream((response, { body, headers: sent }) => {
    const question: unknown = JSON.parse(body)
    asked.push(question)
    headers.push(sent)
    if (!system.answers) return
    const { status, answer: given } = answer(question)
    response.writeHead(status).end(typeof given === 'string' ? given : JSON.stringify(given))
  })
  return Object.assign(system, { address: upstream.address, end: () => upstream.close() })
}

/**
 * The answer that was recorded for a question: of several to the same one, each in its turn, and the last for ever.
 * A question that was never recorded is a mistake in the test.
 */
export function replayExchanges(
  exchanges: readonly RecordedExchange[],
): (asked: unknown) => Omit<RecordedExchange, 'asked'> {
  const given = new Set<RecordedExchange>()
  return (asked) => {
    const same = exchanges.filter((exchange) => isDeepStrictEqual(exchange.asked, asked))
    const found = same.find((exchange) => !given.has(exchange)) ?? same.at(-1)
    if (found) given.add(found)
    return found ?? { status: 418, answer: `not recorded: ${JSON.stringify(asked)}` }
  }
}
