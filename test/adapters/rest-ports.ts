import { rest } from '../../adapters/rest/adapter.ts'
import { createClient } from '../../src/upstream/client.ts'
import type { Ports } from './subject.ts'

const merchant = { merchant: 'demo', currency: 'JMD', timeZone: 'America/Jamaica', now: () => new Date() }
const clients: AsyncDisposable[] = []

function connect(address: string) {
  const client = createClient({ address, maxSockets: 10, maxResponseBytes: 8_000_000 })
  clients.push(client)
  return [{ token: 'sandbox' }, client, merchant] as const
}

/** The adapter with all three ports on one address, or on one for each. */
export function ports(inventory: string, pricing = inventory, accounting = inventory): Required<Ports> {
  return {
    inventory: rest.inventory!(...connect(inventory)),
    pricing: rest.pricing!(...connect(pricing)),
    accounting: rest.accounting!(...connect(accounting)),
  }
}

/** Closes the connections of every adapter that `ports` made. */
export async function disconnect(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client[Symbol.asyncDispose]()))
}
