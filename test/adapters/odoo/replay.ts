import { readFileSync } from 'node:fs'
import { connectOdooPorts } from '../../support/odoo/connect-odoo.ts'
import { type RecordedExchange, replayExchanges } from '../../support/recorded-upstream.ts'
import { startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { recordedCalls, recordedFacts } from './recorded-calls.ts'

type Answer = Omit<RecordedExchange, 'asked'>

/**
 * Makes one of the recorded calls against its recording. Returns its answer, and the methods that were called. `faults`
 * are the answers of methods that fail instead.
 */
export async function replayCall<Name extends keyof typeof recordedCalls>(
  name: Name,
  faults: Record<string, Answer> = {},
) {
  const file = new URL(`../../../fixtures/odoo/${name}.json`, import.meta.url)
  const answerOf = replayExchanges(JSON.parse(readFileSync(file, 'utf8')) as RecordedExchange[])
  await using upstream = await startScriptedUpstream((response, { path, body }) => {
    const method = path.replace('/json/2/', '')
    const { status, answer } = faults[method] ?? answerOf({ method, body: JSON.parse(body) })
    response.writeHead(status).end(JSON.stringify(answer))
  })
  const { close, ...ports } = connectOdooPorts({ address: upstream.address, apiKey: 'recorded' }, recordedFacts)
  try {
    const answer = (await recordedCalls[name](ports)) as Awaited<ReturnType<(typeof recordedCalls)[Name]>>
    return { answer, asked: upstream.requests.map(({ path }) => path.replace('/json/2/', '')) }
  } finally {
    await close()
  }
}
