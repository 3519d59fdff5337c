import type { HttpClient } from '../../../src/ports/http-client.ts'
import type { OdooSettings } from '../settings.ts'
import { parseJson } from './parse-json.ts'
import type { SendToOdoo } from './rpc.ts'
import { explainServerError, toRpcError } from './rpc-errors.ts'

/** Returns a client of JSON-2, the API of Odoo 19 and above (https://www.odoo.com/documentation/19.0/developer/reference/external_api.html). */
export function createJson2(settings: OdooSettings, client: HttpClient): SendToOdoo {
  const headers: Record<string, string> = { authorization: `bearer ${settings.api_key}` }
  if (settings.database) headers['x-odoo-database'] = settings.database
  return async (method, args, call) => {
    const request = { method: 'POST', path: `/json/2/${method}`, headers, body: args } as const
    const response = await client.send(request, call).catch((error: unknown) => {
      throw explainServerError(method, error)
    })
    if (response.status !== 200) throw toRpcError(method, response)
    return parseJson(method, response.text)
  }
}
