import type { MailConfig } from '../config/config.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import type { SystemConfig, SystemsConfig } from '../config/system-config.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { Adapter, MerchantFacts } from '../ports/adapter.ts'
import type { FitmentPort } from '../ports/fitment.ts'
import type { HttpClient } from '../ports/http-client.ts'
import type { InventoryPort } from '../ports/inventory.ts'
import type { PricingPort } from '../ports/pricing.ts'
import type { PortName } from '../ports/system.ts'
import type { Mode } from '../tenant.ts'
import { createHttpClient } from '../upstream/client/http-client.ts'
import { groupPortsBySystem } from '../upstream/group-ports-by-system.ts'
import { guardDefaults } from '../upstream/guard/guard.ts'
import type { ImportedFitmentReader } from './check-imported-fitment.ts'
import type { SystemLocation } from './failure-remedies.ts'

/** One merchant's systems in one mode, as configured. */
export interface DoctorTarget {
  merchant: MerchantConfig
  mode: Mode
  systems: SystemsConfig
  /** Absent: Forecourt sends no emails. */
  mail?: MailConfig
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

/** One system, examined once for all ports that the merchant reads from it. */
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
  const programs: ConnectedProgram[] = []
  const connections: { [S in PortName]?: ConnectedPort<never> } = {}
  for (const { config, ports } of groupPortsBySystem(systemConfigs)) {
    const adapter = adapters[config.adapter]
    if (!adapter) continue
    const { address, settings } = config
    const maxResponseBytes = Math.max(...ports.map((port) => port.config.maxResponseBytes))
    const client = createHttpClient({ address, maxSockets: MAX_SOCKETS, maxResponseBytes })
    clients.push(client)
    const locate = (system: PortName): SystemLocation => ({
      path: `merchants.${merchant.merchant}.${mode}.${system}`,
      origin: new URL(address).origin,
    })
    const systems = ports.map(({ name }) => name)
    const connected = adapter.connect(settings, client, facts, systems)
    for (const { name, config: portConfig } of ports) {
      const limitMs = Math.min(portConfig.limits.timeoutMs ?? guardDefaults.timeoutMs, deadlineMs)
      if (connected[name]) connections[name] = { port: connected[name] as never, location: locate(name), limitMs }
    }
    programs.push({ systems, adapter, config, client, location: locate(systems[0]!) })
  }
  return {
    facts,
    pictures,
    programs,
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
