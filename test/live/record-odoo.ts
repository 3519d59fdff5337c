import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { HttpClient } from '../../src/ports/http-client.ts'
import { callsToRecord, recordedFacts, recordedSettings } from '../adapters/odoo/calls-to-record.ts'
import { createConformanceClerk } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import type { RecordedExchange } from '../support/recorded-upstream.ts'
import { odooAccess } from './support/odoo-environment.ts'

/**
 * Records the calls of test/adapters/odoo against a real Odoo, without its key: `node test/live/record-odoo.ts`.
 * Arguments name the calls to record.
 */
const folder = fileURLToPath(new URL('../../fixtures/odoo/', import.meta.url))
const { storefront, clerk } = odooAccess()
const desk = connectOdooClerk(clerk)
await mkdir(folder, { recursive: true })
const only = process.argv.slice(2)
for (const [name, ask] of Object.entries(callsToRecord)) {
  if (only.length > 0 && !only.includes(name)) continue
  const exchanges: RecordedExchange[] = []
  const { close, ...ports } = connectOdooPorts(storefront, recordedFacts, recording(exchanges), recordedSettings[name])
  await ask(ports, { duplicate: createConformanceClerk(desk.rpc).duplicate })
  await close()
  await writeFile(`${folder}${name}.json`, `${JSON.stringify(exchanges, null, 1)}\n`)
}

await desk.close()

function recording(exchanges: RecordedExchange[]): (client: HttpClient) => HttpClient {
  return (client) => ({
    ...client,
    async send(request, call) {
      const response = await client.send(request, call)
      const asked = { method: request.path.replace('/json/2/', ''), body: request.body }
      exchanges.push({ asked, status: response.status, answer: withoutDebug(JSON.parse(response.text)) })
      return response
    },
  })
}

/** Odoo's errors hold a traceback with paths of the server. */
function withoutDebug(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('debug' in answer)) return answer
  return { ...answer, debug: '' }
}
