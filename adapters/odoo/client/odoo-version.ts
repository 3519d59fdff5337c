import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { callService } from './call-service.ts'

const Version = responseSchema(Type.Object({ server_serie: Type.String({ pattern: '^(saas~)?\\d+\\.\\d+' }) }))

/** Reads the version of an Odoo server, such as `18.0`. Needs no key. */
export async function readVersion(client: HttpClient, call: Call): Promise<string> {
  return Version.parse(await callService(client, 'common', 'version', [], 'version', call)).server_serie
}

/** Returns the number of a version: 18 for `18.0` and for `saas~18.2`. */
export const majorVersion = (version: string): number => Number.parseInt(version.replace('saas~', ''), 10)
