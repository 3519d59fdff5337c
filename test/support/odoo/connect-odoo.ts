import { odoo } from '../../../adapters/odoo/adapter.ts'
import { createRpc, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import type { OdooSettings } from '../../../adapters/odoo/settings.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { systems } from '../../../src/ports/system.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import type { Ports } from '../../adapters/conformance/subject.ts'
import { pictureUrls } from '../fake-picture-urls.ts'

/** An Odoo, and the API key of one of its users. */
export interface OdooLogin {
  address: string
  apiKey: string
  /** For Odoo 18 and below, with the login of the user. */
  database?: string | undefined
  user?: string | undefined
}

/** Returns a login as settings of the adapter. */
export const settingsOf = ({ apiKey, database, user }: OdooLogin) => ({
  api_key: apiKey,
  ...(database && { database }),
  ...(user && { user }),
})

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
  login: OdooLogin,
  facts = odooMerchant,
  seen: (client: HttpClient) => HttpClient = (client) => client,
  more: Partial<OdooSettings> = {},
) {
  const client = createClient(login.address)
  const ports = odoo.connect({ ...settingsOf(login), ...more }, seen(client), facts, systems) as Required<Ports>
  return { ...ports, close: async () => client[Symbol.asyncDispose]() }
}

/** Connects a client with the rights of another user, for what staff do. */
export function connectOdooClerk(login: OdooLogin): { rpc: Rpc; close(): Promise<void> } {
  const client = createClient(login.address)
  return { rpc: createRpc(settingsOf(login), client), close: async () => client[Symbol.asyncDispose]() }
}
