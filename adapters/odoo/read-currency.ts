import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import { OdooId } from './client/odoo-values.ts'
import { createRpc, foundShape } from './client/rpc.ts'
import type { OdooSettings } from './settings.ts'

const Companies = foundShape(Type.Object({ id: OdooId, currency_id: Type.Object({ id: OdooId, name: Type.String() }) }))

/** Reads the ISO 4217 code of the currency of the company. */
export async function readCurrency(settings: OdooSettings, client: HttpClient, call: Call): Promise<string> {
  const { company = 1 } = settings
  const search = { domain: [['id', '=', company]], specification: { currency_id: { fields: { name: {} } } } }
  const [row] = (await createRpc(settings, client).search(Companies, 'res.company', search, call)).records
  if (!row) throw new UpstreamError('misconfigured', `the user of the key does not belong to company ${company}`)
  return row.currency_id.name
}
