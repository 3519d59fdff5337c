import type { MerchantConfig, Mode, SystemConfig, SystemsConfig } from '../config/config.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { Adapter, HttpClient, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { InventoryPort } from '../ports/inventory.ts'
import type { PricingPort } from '../ports/pricing.ts'
import { type PortName, portNames } from '../ports/system.ts'
import { guardDefaults } from '../upstream/guard.ts'
import { createHttpClient } from '../upstream/http-client.ts'
import type { SystemLocation } from './failure-remedies.ts'
import type { ImportedFitmentSummary } from './imported-fitment.ts'

/** One merchant's systems in one mode, and what its configuration says of them. */
export interface DoctorTarget {
  merchant: MerchantConfig
  mode: Mode
  systems: SystemsConfig
  /** What is left of a request's time for its systems. */
  deadlineMs: number
  /** Of `fitment: imported`. */
  importedFitmentSummary: ImportedFitmentSummary
}

export interface ConnectedPort<Port = unknown> {
  port: Port
  location: SystemLocation
  limitMs: number
}

/** Systems that are one program with the same login: looked at once. */
export interface ConnectedProgram {
  systems: PortName[]
  adapter: Adapter
  config: SystemConfig
  client: HttpClient
  location: SystemLocation
}

export interface TargetConnections extends AsyncDisposable {
  facts: MerchantFacts
  inventory?: ConnectedPort<InventoryPort>
  pricing?: ConnectedPort<PricingPort>
  accounting?: ConnectedPort<AccountingPort>
  /** Where vehicles have a source of their own. */
  fitment?: ConnectedPort<FitmentPort>
  programs: ConnectedProgram[]
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
export function connectPorts(
  { merchant, mode, systems: configured, deadlineMs }: DoctorTarget,
  adapters: Readonly<Record<string, Adapter>>,
  now: () => number,
): TargetConnections {
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
  const programs = new Map<string, ConnectedProgram>()
  const connected: { [S in PortName]?: ConnectedPort<never> } = {}
  for (const system of portNames) {
    const config = configured[system]
    // What was imported lies in our own store.
    if (config === 'imported') continue
    const adapter = config && adapters[config.adapter]
    const fill = adapter?.[system]
    if (!config || !adapter || !fill) continue
    const { address, maxResponseBytes, settings, limits } = config
    const place = { path: `merchants.${merchant.merchant}.${mode}.${system}`, origin: new URL(address).origin }
    const client = createHttpClient({ address, maxSockets: SOCKETS, maxResponseBytes })
    clients.push(client)
    const limitMs = Math.min(limits.timeoutMs ?? guardDefaults.timeoutMs, deadlineMs)
    connected[system] = { port: fill(settings, client, facts) as never, location: place, limitMs }
    const key = JSON.stringify([config.adapter, address, settings])
    const program = programs.get(key) ?? { systems: [], adapter, config, client, location: place }
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
