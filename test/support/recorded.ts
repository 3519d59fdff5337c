import { isDeepStrictEqual } from 'node:util'
import nock from 'nock'

/** One question to a system, as an adapter sends it, and the answer that a real system gave. */
export interface Exchange {
  asked: unknown
  status: number
  answer: unknown
}

/** Where recorded systems live: an address that leads nowhere. */
export const RECORDED = 'http://recorded.example'

/** Plays a system for an adapter: each POST to `path` is answered by what was recorded for the same body, or by `answer`. */
export function play(
  path: string,
  answer: (asked: unknown) => Omit<Exchange, 'asked'>,
): { asked: unknown[]; end(): void } {
  const asked: unknown[] = []
  nock.disableNetConnect()
  nock.enableNetConnect('127.0.0.1')
  nock(RECORDED)
    .persist()
    .post(path)
    .reply((_uri: string, body: unknown) => {
      asked.push(body)
      const { status, answer: text } = answer(body)
      return [status, typeof text === 'string' ? text : JSON.stringify(text)]
    })
  const end = () => {
    nock.cleanAll()
    nock.enableNetConnect()
    nock.restore()
    nock.activate()
  }
  return { asked, end }
}

/** The answer that was recorded for a question; a question that was never recorded is a mistake in the test. */
export function answerFrom(exchanges: readonly Exchange[]): (asked: unknown) => Omit<Exchange, 'asked'> {
  return (asked) => {
    const found = exchanges.find((exchange) => isDeepStrictEqual(exchange.asked, asked))
    return found ?? { status: 418, answer: `not recorded: ${JSON.stringify(asked)}` }
  }
}
