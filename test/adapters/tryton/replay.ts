import { readFileSync } from 'node:fs'
import { type RecordedExchange, replayExchanges, startRecordedUpstream } from '../../support/recorded-upstream.ts'
import { connectTrytonPorts, recordedLogin } from '../../support/tryton/connect-tryton.ts'
import { callsToRecord, recordedFacts } from './calls-to-record.ts'

/** Makes one of the recorded calls against its recording. */
export async function replayCall<Name extends keyof typeof callsToRecord>(name: Name, facts = recordedFacts) {
  const file = new URL(`../../../fixtures/tryton/${name}.json`, import.meta.url)
  const exchanges = JSON.parse(readFileSync(file, 'utf8')) as RecordedExchange[]
  const system = await startRecordedUpstream(replayExchanges(exchanges))
  const ports = connectTrytonPorts({ address: system.address, ...recordedLogin }, undefined, facts)
  try {
    const answer = (await callsToRecord[name](ports)) as Awaited<ReturnType<(typeof callsToRecord)[Name]>>
    return { answer, asked: system.asked.map((asked) => (asked as { method: string }).method) }
  } finally {
    await ports.close()
    await system.end()
  }
}
