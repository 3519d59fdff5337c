import { readFileSync } from 'node:fs'
import { connectOdooPorts } from '../../support/odoo/connect-odoo.ts'
import { type RecordedExchange, replayExchanges } from '../../support/recorded-upstream.ts'
import { startScriptedUpstream } from '../../support/scripted-upstream.ts'
import {
  callsToRecord,
  callsToRecordOfOdoo16,
  RECORDED_LOGIN,
  recordedFacts,
  recordedSettings,
  toAsked,
} from './calls-to-record.ts'

const OLDER_LOGIN = { database: RECORDED_LOGIN, user: RECORDED_LOGIN }

type Answer = Omit<RecordedExchange, 'asked'>
/** The answer of a method that fails, or a function that returns one for some calls. */
type Fault = Answer | ((body: string) => Answer | undefined)

/** The recordings of a version, by its folder in fixtures. */
export type Recordings = 'odoo' | 'odoo-16'

/**
 * Makes one of the recorded calls against its recording. Returns its answer, the methods that were called, and the number
 * of calls of each operation that it marked. `faults` are those of methods.
 */
export async function replayCall<Name extends keyof typeof callsToRecord>(
  name: Name,
  faults: Record<string, Fault> = {},
  recordings: Recordings = 'odoo',
) {
  const file = new URL(`../../../fixtures/${recordings}/${name}.json`, import.meta.url)
  const recordedCalls = recordings === 'odoo' ? callsToRecord : callsToRecordOfOdoo16
  const answerOf = replayExchanges(JSON.parse(readFileSync(file, 'utf8')) as RecordedExchange[])
  await using upstream = await startScriptedUpstream((response, { path, body }) => {
    const asked = toAsked(path, JSON.parse(body))
    const fault = faults[asked.method]
    const failed = typeof fault === 'function' ? fault(body) : fault
    const { status, answer } = failed ?? answerOf(asked)
    response.writeHead(status).end(JSON.stringify(answer))
  })
  const { close, ...ports } = connectOdooPorts(
    { address: upstream.address, apiKey: RECORDED_LOGIN, ...(recordings === 'odoo-16' && OLDER_LOGIN) },
    recordedFacts,
    undefined,
    recordedSettings[name],
  )
  try {
    const marks: [operation: string, at: number][] = []
    const mark = (operation: string) => marks.push([operation, upstream.requests.length])
    const answer = (await recordedCalls[name](ports, undefined, mark)) as Awaited<
      ReturnType<(typeof callsToRecord)[Name]>
    >
    const calls = Object.fromEntries(marks.slice(0, -1).map(([operation, at], i) => [operation, marks[i + 1]![1] - at]))
    return { answer, asked: upstream.requests.map(({ path }) => toAsked(path, null).method), calls }
  } finally {
    await close()
  }
}
