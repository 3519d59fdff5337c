import { odoo } from '../../../adapters/odoo/adapter.ts'
import { createRpc, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { systems } from '../../../src/ports/system.ts'
import { createHttpClient } from '../../../src/upstream/http-client.ts'
import type { Ports } from '../../adapters/conformance/subject.ts'
import { pictureUrls } from '../picture-urls.ts'

/** An Odoo, and the API key of one of its users. */
export interface OdooLogin {
  address: string
  apiKey: string
}

export const odooMerchant = {
  merchant: 'demo',
  currency: 'JMD',
  timeZone: 'America/Jamaica',
  now: () => new Date(),
  pictureUrls,
}

const createClient = (address: string) => createHttpClient({ address, maxSockets: 8, maxResponseBytes: 8_000_000 })

/** Connects the ports of the adapter over one client; `seen` observes its exchanges. */
export function connectOdooPorts(
  { address, apiKey }: OdooLogin,
  facts = odooMerchant,
  seen: (client: HttpClient) => HttpClient = (client) => client,
) {
  const client = createClient(address)
  const ports = odoo.connect({ api_key: apiKey }, seen(client), facts, systems) as Required<Ports>
  return { ...ports, close: async () => client[Symbol.asyncDispose]() }
}

/** Connects a client with the rights of another user, for what staff do. */
export function connectOdooClerk({ address, apiKey }: OdooLogin): { rpc: Rpc; close(): Promise<void> } {
  const client = createClient(address)
  return { rpc: createRpc({ api_key: apiKey }, client), close: async () => client[Symbol.asyncDispose]() }
}
