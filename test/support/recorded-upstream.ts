import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { startUpstream } from './scripted-upstream.ts'

/** One question to a system, as an adapter sends it, and the answer that a real system gave. */
export interface Exchange {
  asked: unknown
  status: number
  answer: unknown
}

/** Plays a system for an adapter: every question gets what `answer` has for its body, as long as it `answers` at all. */
export async function play(answer: (asked: unknown) => Omit<Exchange, 'asked'>) {
  const asked: unknown[] = []
  const headers: IncomingHttpHeaders[] = []
  const system = { asked, headers, answers: true }
  const upstream = await startUpstream((response, { body, headers: sent }) => {
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
export function answerFrom(exchanges: readonly Exchange[]): (asked: unknown) => Omit<Exchange, 'asked'> {
  const given = new Set<Exchange>()
  return (asked) => {
    const same = exchanges.filter((exchange) => isDeepStrictEqual(exchange.asked, asked))
    const found = same.find((exchange) => !given.has(exchange)) ?? same.at(-1)
    if (found) given.add(found)
    return found ?? { status: 418, answer: `not recorded: ${JSON.stringify(asked)}` }
  }
}
