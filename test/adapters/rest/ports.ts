import { rest } from '../../../adapters/rest/adapter.ts'
import type { AdapterPorts } from '../../../src/ports/adapter.ts'
import { portNames } from '../../../src/ports/system.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { pictureUrls } from '../../support/fake-picture-urls.ts'
import type { Connected, Ports } from '../conformance/subject.ts'

const merchant = {
  merchant: 'demo',
  currency: 'JMD',
  timeZone: 'America/Jamaica',
  now: () => new Date(),
  pictureUrls,
}
const clients: AsyncDisposable[] = []

/** Connects every port of one system. */
function connect(address: string): Required<AdapterPorts> {
  const client = createHttpClient({ address, maxSockets: 10, maxResponseBytes: 8_000_000 })
  clients.push(client)
  return rest.connect({ token: 'sandbox' }, client, merchant, portNames) as Required<AdapterPorts>
}

/** Connects the adapter with all three ports on one address, or on one each. */
export function connectPorts(inventory: string, pricing = inventory, accounting = inventory): Required<Ports> {
  return {
    inventory: connect(inventory).inventory,
    pricing: connect(pricing).pricing,
    accounting: connect(accounting).accounting,
  }
}

/** Closes the connections of every adapter that `connectPorts` created. */
export async function disconnectAll(): Promise<void> {
  await Promise.all(clients.splice(0).map(close))
}

/** The same, but closes its connections on disposal. */
export function connectDisposable(...addresses: [string, string, string]): Connected {
  const opened = clients.length
  const one = { ...connectPorts(...addresses), fitment: connect(addresses[0]).fitment }
  const own = clients.splice(opened)
  return { ...one, [Symbol.asyncDispose]: async () => void (await Promise.all(own.map(close))) }
}

const close = (client: AsyncDisposable) => client[Symbol.asyncDispose]()
