import { rest } from '../../../adapters/rest/adapter.ts'
import { createHttpClient } from '../../../src/upstream/http-client.ts'
import { pictureUrls } from '../../support/picture-urls.ts'
import type { Connected, Ports } from '../conformance/subject.ts'

const merchant = {
  merchant: 'demo',
  currency: 'JMD',
  timeZone: 'America/Jamaica',
  now: () => new Date(),
  pictureUrls,
}
const clients: AsyncDisposable[] = []

function connect(address: string) {
  const client = createHttpClient({ address, maxSockets: 10, maxResponseBytes: 8_000_000 })
  clients.push(client)
  return [{ token: 'sandbox' }, client, merchant] as const
}

/** Connects the adapter with all three ports on one address, or on one each. */
export function connectPorts(inventory: string, pricing = inventory, accounting = inventory): Required<Ports> {
  return {
    inventory: rest.inventory!(...connect(inventory)),
    pricing: rest.pricing!(...connect(pricing)),
    accounting: rest.accounting!(...connect(accounting)),
  }
}

/** Closes the connections of every adapter that `connectPorts` created. */
export async function disconnectAll(): Promise<void> {
  await Promise.all(clients.splice(0).map(close))
}

/** The same, but closes its connections on disposal. */
export function connectDisposable(...addresses: [string, string, string]): Connected {
  const opened = clients.length
  const one = { ...connectPorts(...addresses), fitment: rest.fitment!(...connect(addresses[0])) }
  const own = clients.splice(opened)
  return { ...one, [Symbol.asyncDispose]: async () => void (await Promise.all(own.map(close))) }
}

const close = (client: AsyncDisposable) => client[Symbol.asyncDispose]()
