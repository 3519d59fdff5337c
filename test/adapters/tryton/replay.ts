import { readFileSync } from 'node:fs'
import { answerFrom, type Exchange, play } from '../../support/recorded-upstream.ts'
import { recordedLogin, trytonPorts } from '../../support/tryton/connect-tryton.ts'
import { questions, recordedAt } from './recorded-calls.ts'

/** Asks one of the recorded questions, of the recording. */
export async function replayed<Name extends keyof typeof questions>(name: Name, facts = recordedAt) {
  const file = new URL(`../../../fixtures/tryton/${name}.json`, import.meta.url)
  const exchanges = JSON.parse(readFileSync(file, 'utf8')) as Exchange[]
  const system = await play(answerFrom(exchanges))
  const ports = trytonPorts({ address: system.address, ...recordedLogin }, undefined, facts)
  try {
    const answer = (await questions[name](ports)) as Awaited<ReturnType<(typeof questions)[Name]>>
    return { answer, asked: system.asked.map((asked) => (asked as { method: string }).method) }
  } finally {
    await ports.close()
    await system.end()
  }
}
