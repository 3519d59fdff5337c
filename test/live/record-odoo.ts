import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { HttpClient } from '../../src/ports/http-client.ts'
import {
  callsToRecord,
  callsToRecordOfOdoo16,
  RECORDED_LOGIN,
  recordedFacts,
  recordedSettings,
  toAsked,
} from '../adapters/odoo/calls-to-record.ts'
import { createConformanceClerk } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import type { RecordedExchange } from '../support/recorded-upstream.ts'
import { isOdoo16, odooAccess } from './support/odoo-environment.ts'

/**
 * Records the calls of test/adapters/odoo against a real Odoo, without its key: `node test/live/record-odoo.ts`.
 * Arguments name the calls to record. With `ODOO_VERSION=16`, they are the recordings of that version.
 */
const folder = fileURLToPath(new URL(`../../fixtures/odoo${isOdoo16() ? '-16' : ''}/`, import.meta.url))
const { storefront, clerk } = odooAccess()
const desk = connectOdooClerk(clerk)
await mkdir(folder, { recursive: true })
const only = process.argv.slice(2)
const calls = isOdoo16() ? callsToRecordOfOdoo16 : callsToRecord
for (const [name, ask] of Object.entries(calls)) {
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
      const asked = toAsked(request.path, withoutLogin(request.body as JsonRpcBody))
      exchanges.push({ asked, status: response.status, answer: withoutDebug(parse(response.text)) })
      return response
    },
  })
}

interface JsonRpcBody {
  params?: { method: string; args: unknown[] }
}

/** A call of `/jsonrpc` has the database and the key among its arguments, and a login has the name of the user. */
function withoutLogin(body: JsonRpcBody): unknown {
  if (!body.params || body.params.args.length === 0) return body
  const secrets = body.params.method === 'authenticate' ? [0, 1, 2] : [0, 2]
  const args = body.params.args.map((argument, i) => (secrets.includes(i) ? RECORDED_LOGIN : argument))
  return { ...body, params: { ...body.params, args } }
}

/** An Odoo without JSON-2 responds with a page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return '<html>'
  }
}

/** Odoo's errors hold a traceback with paths of the server. */
function withoutDebug(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => (name === 'debug' ? '' : value))
}
