import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapters } from '../../adapters.ts'
import { type Config, type MerchantConfig, type Mode, readConfig, readDefaultConfig } from '../../config/config.ts'
import type { DoctorTarget } from '../../doctor/connect-ports.ts'
import { type PortName, portNames } from '../../ports/system.ts'
import { type FitmentOwner, findCurrentFitmentImport } from '../../storage/fitment/fitment-imports.ts'
import { createDemoConfig } from '../demo/demo-command.ts'
import {
  createEmbeddedSystemsConfig,
  DEFAULT_SANDBOX_PORT,
  ensureSandboxToken,
  formatSandboxPortOption,
} from '../embedded-sandbox.ts'
import { describeFitmentImport } from '../fitment/fitment-commands.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, withStore } from '../with-store.ts'

const DEFAULT_CONFIG = 'forecourt.yaml'
const PATIENCE_MS = 2_000
/** Of a request's time, for assembling and sending. */
const RESERVE_MS = 50

export interface DoctorTargetOptions {
  config?: string
  merchant?: string
  mode: Mode | undefined
  /** Systems to look at. */
  only: readonly PortName[]
  sandboxPort?: number
}

/** Whom to look at: of a configuration, or the demo where there is none. An embedded sandbox is looked at when it is asked for. */
export async function findDoctorTargets(options: DoctorTargetOptions): Promise<DoctorTarget[]> {
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const file = options.config ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined)
  const config = file === undefined ? await runningDemo(firstPort) : readConfig(file, adapters)
  const merchants = chosen(config, options.merchant)
  const embedded = ({ merchant, sandboxFitment: fitment }: MerchantConfig) => ({
    ...createEmbeddedSystemsConfig(firstPort, ensureSandboxToken(config.dataDirectory))(merchant),
    ...(fitment && { fitment }),
  })
  const patients = merchants.flatMap((merchant) =>
    // The demo's keys are sandbox keys.
    modesOf(merchant, options.mode ?? (file === undefined ? 'sandbox' : undefined)).map((mode) => {
      const systems = (mode === 'live' ? merchant.live : merchant.sandbox) ?? embedded(merchant)
      const importedFitmentSummary = () => importedIn(config.store, { tenant_id: merchant.merchant, mode })
      return { merchant, mode, systems, deadlineMs: config.deadlineMs - RESERVE_MS, importedFitmentSummary }
    }),
  )
  if (patients.some(({ systems }) => options.only.some((source) => systems[source]))) return patients
  throw new UsageError(nothingIn(patients, options.only, file))
}

/** A table without rows would look as if all were well. */
function nothingIn(patients: readonly DoctorTarget[], only: readonly PortName[], file: string | undefined): string {
  const whom = patients.map(({ merchant, mode }) => `${merchant.merchant} (${mode})`).join(', ')
  const there = portNames.filter((source) => patients.some(({ systems }) => systems[source]))
  const nothing = 'Nothing was examined:'
  if (there.length === 0)
    return `${nothing} no system is configured for ${whom}. Name inventory, pricing and accounting in ${file}, or look at the embedded back office with --mode sandbox`
  const vehicles = only.includes('fitment') && there.includes('inventory')
  const hint = vehicles ? '. Vehicles of the inventory system itself are looked at with --system inventory' : ''
  return `${nothing} ${only.join(', ')} is not configured for ${whom}; what is: ${there.join(', ')}${hint}`
}

async function importedIn(store: string, owner: FitmentOwner): Promise<string | null> {
  if (!hasStore(store)) return null
  const current = await withStore(store, (db) => findCurrentFitmentImport(db, owner))
  return current ? describeFitmentImport(current) : null
}

function chosen({ merchants }: Config, name: string | undefined): MerchantConfig[] {
  if (name === undefined) return merchants
  const found = merchants.filter(({ merchant }) => merchant === name)
  if (found.length > 0) return found
  throw new UsageError(
    `There is no merchant "${name}" in the configuration: ${merchants.map(({ merchant }) => merchant).join(', ')}`,
  )
}

function modesOf({ sandbox }: MerchantConfig, mode: Mode | undefined): Mode[] {
  if (mode !== undefined) return [mode]
  return sandbox === null ? ['live'] : ['live', 'sandbox']
}

async function runningDemo(firstPort: number): Promise<Config> {
  const { dataDirectory } = readDefaultConfig()
  // A demo that ran here has left its token; looking for it must not make one.
  if (existsSync(join(dataDirectory, 'sandbox', 'token'))) {
    const config = createDemoConfig(firstPort, ensureSandboxToken(dataDirectory))
    const { inventory, pricing, accounting } = config.merchants[0]!.live
    const answering = await Promise.all([inventory, pricing, accounting].map((system) => answers(system!.address)))
    if (answering.includes(true)) return config
  }
  throw new UsageError(
    `There is no ${DEFAULT_CONFIG} here, and no demo that was started here answers on port ${firstPort} (on another, name it with --sandbox-port <port>). Name a configuration with --config <file>, or start the demo in another terminal: npx forecourt demo${formatSandboxPortOption(firstPort)}`,
  )
}

async function answers(address: string): Promise<boolean> {
  try {
    await fetch(`${address}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return true
  } catch (error) {
    // It hangs: that is for the doctor to tell.
    return (error as Error).name === 'TimeoutError'
  }
}
