import { Type } from 'typebox'
import { tryton } from '../../../adapters/tryton/adapter.ts'
import { createRpc, type Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { TrytonUserWarning } from '../../../adapters/tryton/client/rpc-errors.ts'
import type { TrytonSettings } from '../../../adapters/tryton/settings.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { systems } from '../../../src/ports/system.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Ports } from '../../adapters/conformance/subject.ts'
import { pictureUrls } from '../fake-picture-urls.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))

export interface Login {
  address: string
  database: string
  user: string
  password: string
}

/** The login of the recorded exchanges; no server knows this account. */
export const recordedLogin = { database: 'merchant', user: 'storefront', password: 'not-a-password' }
export const trytonMerchant = {
  merchant: 'demo',
  currency: 'JMD',
  timeZone: 'America/Jamaica',
  now: () => new Date(),
  pictureUrls,
}

const settingsOf = ({ database, user, password }: Omit<Login, 'address'>): TrytonSettings => ({
  database,
  user,
  password,
  brand_attribute: 'brand',
  mpn_attribute: 'mpn',
})

/** Connects the three ports of the adapter over one client; `seen` observes their exchanges. */
export function connectTrytonPorts(
  login: Login,
  seen: (client: HttpClient) => HttpClient = (client) => client,
  facts = trytonMerchant,
) {
  const client = createHttpClient({ address: login.address, maxSockets: 8, maxResponseBytes: 8_000_000 })
  const ports = tryton.connect(settingsOf(login), seen(client), facts, systems) as Required<Ports>
  return { ...ports, close: async () => client[Symbol.asyncDispose]() }
}

/** Connects an RPC client with write access, for tests that change records. */
export function connectClerk(login: Login, maxSockets = 2): { rpc: Rpc; close(): Promise<void> } {
  const client = createHttpClient({ address: login.address, maxSockets, maxResponseBytes: 8_000_000 })
  const rpc = confirmWarnings(createRpc(settingsOf(login), client, Date.now), login.user)
  return { rpc, close: async () => client[Symbol.asyncDispose]() }
}

/** Repeats a call after confirming its warning, as staff do, such as the one for a retired product that is in stock. */
const confirmWarnings =
  (rpc: Rpc, login: string): Rpc =>
  async (shape, method, params, call, context) => {
    try {
      return await rpc(shape, method, params, call, context)
    } catch (error) {
      if (!(error instanceof TrytonUserWarning)) throw error
      const [user] = await rpc(Ids, 'res.user.search', [[['login', '=', login]], 0, 1, null], call)
      const warning = { user, name: error.warningName, always: false }
      await rpc(Ids, 'res.user.warning.create', [[warning]], call)
      return rpc(shape, method, params, call, context)
    }
  }
