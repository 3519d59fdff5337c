import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { HttpClient } from '../../src/ports/http-client.ts'
import { callsToRecord, recordedFacts } from '../adapters/tryton/calls-to-record.ts'
import type { RecordedExchange } from '../support/recorded-upstream.ts'
import { connectTrytonPorts, recordedLogin } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'

/**
 * Records the calls of the recorded-*.test.ts files against a real server, without login and session: `node
 * test/live/record-tryton.ts` on a fresh database. Arguments name the calls to record.
 */
const folder = fileURLToPath(new URL('../../fixtures/tryton/', import.meta.url))
const { storefront } = trytonAccess()
await mkdir(folder, { recursive: true })
const only = process.argv.slice(2)
for (const [name, ask] of Object.entries(callsToRecord)) {
  if (only.length > 0 && !only.includes(name)) continue
  const exchanges: RecordedExchange[] = []
  const { close, ...ports } = connectTrytonPorts(storefront, recording(exchanges), recordedFacts)
  await ask(ports)
  await close()
  await writeFile(`${folder}${name}.json`, `${JSON.stringify(exchanges, null, 1)}\n`)
}

function recording(exchanges: RecordedExchange[]): (client: HttpClient) => HttpClient {
  return (client) => ({
    ...client,
    async send(exchange, call) {
      const reply = await client.send(exchange, call)
      exchanges.push(withoutSecrets(exchange.body as { method: string }, reply.status, JSON.parse(reply.text)))
      return reply
    },
  })
}

function withoutSecrets(asked: { method: string }, status: number, answer: unknown): RecordedExchange {
  if (asked.method !== 'common.db.login') return { asked, status, answer }
  const params = [recordedLogin.user, { password: recordedLogin.password }, 'en']
  return { asked: { ...asked, params }, status, answer: { id: 1, result: [1, '0'.repeat(64)] } }
}
