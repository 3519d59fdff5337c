import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { callService } from './call-service.ts'

const Databases = responseSchema(Type.Array(Type.String()))

/** Lists the databases of an Odoo server; `null` if the server does not list them. Needs no key. */
export async function listDatabases(client: HttpClient, call: Call): Promise<string[] | null> {
  try {
    return Databases.parse(await callService(client, 'db', 'list', [], 'list', call))
  } catch (error) {
    if (error instanceof UpstreamError) return null
    throw error
  }
}
