import type { MerchantConfig, Mode, SystemConfig, SystemsConfig } from '../config/config.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { Adapter, Client, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { InventoryPort } from '../ports/inventory.ts'
import type { PricingPort } from '../ports/pricing.ts'
import { type Source, sources } from '../ports/system.ts'
import { createClient } from '../upstream/http-client.ts'
import { guardDefaults } from '../upstream/guard.ts'
import type { Imported } from './imported-fitment.ts'
import type { Place } from './failure-remedies.ts'

/** One merchant's systems in one mode, and what its configuration says of them. */
export interface Patient {
  merchant: MerchantConfig
  mode: Mode
  systems: SystemsConfig
  /** What is left of a request's time for its systems. */
  deadlineMs: number
  /** Of `fitment: imported`. */
  imported: Imported
}

export interface Connected<Port = unknown> {
  port: Port
  place: Place
  limitMs: number
}

/** Systems that are one program with the same login: looked at once. */
export interface Program {
  systems: Source[]
  adapter: Adapter
  config: SystemConfig
  client: Client
  place: Place
}

export interface Connections extends AsyncDisposable {
  facts: MerchantFacts
  inventory?: Connected<InventoryPort>
  pricing?: Connected<PricingPort>
  accounting?: Connected<AccountingPort>
  /** Where vehicles have a source of their own. */
  fitment?: Connected<FitmentPort>
  programs: Program[]
  /** Pictures that products named, by the names that the inventory system gives them. */
  pictures: ReadonlySet<string>
}

/** Nobody opens them. */
const urlsOf = (source: string) => ({
  thumb_url: `http://localhost/${encodeURIComponent(source)}`,
  large_url: `http://localhost/${encodeURIComponent(source)}`,
})

/** Few: what is measured is one question, not a crowd. */
const SOCKETS = 8

/** Connects the ports as the API does, without the guard: one failure must not open a circuit before the next question. */
export function connect(
  { merchant, mode, systems: configured, deadlineMs }: Patient,
  adapters: Readonly<Record<string, Adapter>>,
  now: () => number,
): Connections {
  const pictures = new Set<string>()
  const facts: MerchantFacts = {
    merchant: merchant.merchant,
    currency: merchant.currency,
    timeZone: merchant.timeZone,
    now: () => new Date(now()),
    pictureUrls({ source }) {
      pictures.add(source)
      return urlsOf(source)
    },
  }
  const clients: AsyncDisposable[] = []
  const programs = new Map<string, Program>()
  const connected: { [S in Source]?: Connected<never> } = {}
  for (const system of sources) {
    const config = configured[system]
    // What was imported lies in our own store.
    if (config === 'imported') continue
    const adapter = config && adapters[config.adapter]
    const fill = adapter?.[system]
    if (!config || !adapter || !fill) continue
    const { address, maxResponseBytes, settings, limits } = config
    const place = { path: `merchants.${merchant.merchant}.${mode}.${system}`, origin: new URL(address).origin }
    const client = createClient({ address, maxSockets: SOCKETS, maxResponseBytes })
    clients.push(client)
    const limitMs = Math.min(limits.timeoutMs ?? guardDefaults.timeoutMs, deadlineMs)
    connected[system] = { port: fill(settings, client, facts) as never, place, limitMs }
    const key = JSON.stringify([config.adapter, address, settings])
    const program = programs.get(key) ?? { systems: [], adapter, config, client, place }
    program.systems.push(system)
    programs.set(key, program)
  }
  return {
    facts,
    pictures,
    programs: [...programs.values()],
    ...connected,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    },
  }
}
