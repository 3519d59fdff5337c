import { HttpResponse, http, type RequestHandler } from 'msw'
import { type OutcomeName, recordedOutcomes } from './generated/msw-outcomes.gen.ts'

export type { OutcomeName } from './generated/msw-outcomes.gen.ts'

export interface OutcomeHandlers {
  /** The address of Forecourt in the tested program; any by default. */
  url?: string
}

interface RecordedExchange {
  method: string
  /** With `*` for each id that differs between runs. */
  path: string
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
}

/** Returns MSW handlers that respond as the sandbox did in this outcome. */
export function replayOutcome(name: OutcomeName, { url = '*' }: OutcomeHandlers = {}): RequestHandler[] {
  const exchanges: readonly RecordedExchange[] | undefined = recordedOutcomes[name]
  if (!exchanges)
    throw new TypeError(`There is no outcome "${name}". The outcomes are: ${Object.keys(recordedOutcomes).join(', ')}`)
  return exchanges.map(({ method, path, status, headers, body }) =>
    http[method.toLowerCase() as 'get' | 'post'](`${url.replace(/\/+$/, '')}${path}`, () =>
      HttpResponse.json(body as never, { status, headers }),
    ),
  )
}
