import type { MerchantConfig, SystemConfig, SystemsConfig } from '../config/config.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { Adapter, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { HttpClient } from '../ports/http-client.ts'
import type { InventoryPort } from '../ports/inventory.ts'
import type { PricingPort } from '../ports/pricing.ts'
import { type PortName, portNames } from '../ports/system.ts'
import type { Mode } from '../tenant.ts'
import { guardDefaults } from '../upstream/guard.ts'
import { createHttpClient } from '../upstream/http-client.ts'
import type { SystemLocation } from './failure-remedies.ts'
import type { ImportedFitmentReader } from './imported-fitment.ts'

/** One merchant's systems in one mode, as configured. */
export interface DoctorTarget {
  merchant: MerchantConfig
  mode: Mode
  systems: SystemsConfig
  /** The share of a request's deadline that its systems may use. */
  deadlineMs: number
  /** Used with `fitment: imported`. */
  readImportedFitment: ImportedFitmentReader
}

export interface ConnectedPort<Port = unknown> {
  port: Port
  location: SystemLocation
  limitMs: number
}

/** Systems that are one program with the same login: examined once. */
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
  /** Set when vehicles come from a separate system. */
  fitment?: ConnectedPort<FitmentPort>
  programs: ConnectedProgram[]
  /** The `source` of every picture that products named so far. */
  pictures: ReadonlySet<string>
}

/** Nobody requests these URLs. */
const placeholderUrls = (source: string) => ({
  thumb_url: `http://localhost/${encodeURIComponent(source)}`,
  large_url: `http://localhost/${encodeURIComponent(source)}`,
})

/** Few: the doctor measures single calls, not load. */
const MAX_SOCKETS = 8

/** Connects the ports as the API does, without the guard: a failure must not open a circuit for the next call. */
export function connectPorts(
  { merchant, mode, systems: systemConfigs, deadlineMs }: DoctorTarget,
  adapters: Readonly<Record<string, Adapter>>,
  now: () => number,
): TargetConnections {
  const pictures = new Set<string>()
  const facts = createFacts(merchant, now, pictures)
  const clients: AsyncDisposable[] = []
  const programs = new Map<string, ConnectedProgram>()
  const connections: { [S in PortName]?: ConnectedPort<never> } = {}
  for (const system of portNames) {
    const config = systemConfigs[system]
    // Imported fitment is in our own store.
    if (config === 'imported') continue
    const adapter = config && adapters[config.adapter]
    const createPort = adapter?.[system]
    if (!config || !adapter || !createPort) continue
    const { address, maxResponseBytes, settings, limits } = config
    const location = { path: `merchants.${merchant.merchant}.${mode}.${system}`, origin: new URL(address).origin }
    const client = createHttpClient({ address, maxSockets: MAX_SOCKETS, maxResponseBytes })
    clients.push(client)
    const limitMs = Math.min(limits.timeoutMs ?? guardDefaults.timeoutMs, deadlineMs)
    connections[system] = { port: createPort(settings, client, facts) as never, location, limitMs }
    const key = JSON.stringify([config.adapter, address, settings])
    const program = programs.get(key) ?? { systems: [], adapter, config, client, location }
    program.systems.push(system)
    programs.set(key, program)
  }
  return {
    facts,
    pictures,
    programs: [...programs.values()],
    ...connections,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()))
    },
  }
}

function createFacts(
  { merchant, currency, timeZone }: MerchantConfig,
  now: () => number,
  pictures: Set<string>,
): MerchantFacts {
  return {
    merchant,
    currency,
    timeZone,
    now: () => new Date(now()),
    pictureUrls({ source }) {
      pictures.add(source)
      return placeholderUrls(source)
    },
  }
}
