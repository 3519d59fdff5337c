import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapters } from '../../adapters.ts'
import type { Config } from '../../config/config.ts'
import { readDefaultConfig } from '../../config/conversion/default-config.ts'
import type { MerchantConfig } from '../../config/merchant-config.ts'
import { readConfig } from '../../config/read-config.ts'
import type { SystemsConfig } from '../../config/system-config.ts'
import type { DoctorTarget } from '../../doctor/connect-ports.ts'
import { forecourtCommand } from '../../installed-command-line.ts'
import { type PortName, portNames } from '../../ports/system.ts'
import { fitmentImports } from '../../storage/fitment/fitment-imports.ts'
import type { Mode, Tenant } from '../../tenant.ts'
import { DEFAULT_CONFIG_FILE, findConfigFile } from '../default-config-file.ts'
import { createDemoConfig } from '../demo/demo-config.ts'
import { createEmbeddedSystemsConfig } from '../embedded-systems.ts'
import { describeImportedFitment } from '../fitment/describe-imported-fitment.ts'
import { DEFAULT_SANDBOX_PORT, formatSandboxPortOption } from '../sandbox-ports.ts'
import { ensureSandboxToken } from '../sandbox-token.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, withStore } from '../with-store.ts'

const DEMO_CHECK_TIMEOUT_MS = 2_000
/** The part of a request's deadline that is reserved for the response. */
const RESERVE_MS = 50

export interface DoctorTargetOptions {
  config?: string
  merchant?: string
  mode: Mode | undefined
  /** The systems to check. */
  only: readonly PortName[]
  sandboxPort?: number
}

/** Returns the configuration, and the merchants and modes of it to check, from a configuration file or the running demo. The embedded sandbox is checked only with --mode sandbox. */
export async function findDoctorTargets(
  options: DoctorTargetOptions,
): Promise<{ config: Config; targets: DoctorTarget[] }> {
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const file = findConfigFile(options.config)
  const config = file === undefined ? await readRunningDemoConfig(firstPort) : readConfig(file, adapters)
  const embeddedSystems = ({ merchant, sandboxFitment: fitment }: MerchantConfig): SystemsConfig => ({
    ...createEmbeddedSystemsConfig(firstPort, ensureSandboxToken(config.dataDirectory))(merchant),
    ...(fitment && { fitment }),
  })
  // The demo's keys are sandbox keys.
  const wantedMode = options.mode ?? (file === undefined ? 'sandbox' : undefined)
  const merchants = selectMerchants(config, options.merchant)
  if (wantedMode === 'sandbox' && config.embeddedSandbox === false)
    for (const merchant of merchants) if (!merchant.sandbox) await requireEmbeddedSystems(merchant, embeddedSystems)
  const targets = merchants.flatMap((merchant) =>
    selectModes(merchant, wantedMode).map((mode) => ({
      merchant,
      mode,
      systems: (mode === 'live' ? merchant.live : merchant.sandbox) ?? embeddedSystems(merchant),
      ...(config.mail && { mail: config.mail }),
      deadlineMs: config.deadlineMs - RESERVE_MS,
      readImportedFitment: () => readImportedFitment(config.store, { merchant: merchant.merchant, mode }),
    })),
  )
  if (targets.some(({ systems }) => options.only.some((port) => systems[port]))) return { config, targets }
  throw new UsageError(describeMissingSystems(targets, options.only, file))
}

/** The server's command line may have turned the sandbox on, so the systems are called to find out. */
async function requireEmbeddedSystems(
  merchant: MerchantConfig,
  systemsOf: (merchant: MerchantConfig) => SystemsConfig,
): Promise<void> {
  if (await isRunning(systemsOf(merchant).inventory!.address)) return
  throw new UsageError(
    `Nothing was checked: ${merchant.merchant} has no sandbox. The embedded back office does not run beside live merchants unless embedded_sandbox is true`,
  )
}

/** Explains why there is nothing to check: a report without rows would look like a good result. */
function describeMissingSystems(
  targets: readonly DoctorTarget[],
  only: readonly PortName[],
  file: string | undefined,
): string {
  const names = targets.map(({ merchant, mode }) => `${merchant.merchant} (${mode})`).join(', ')
  const configured = portNames.filter((port) => targets.some(({ systems }) => systems[port]))
  const nothing = 'Nothing was checked:'
  if (configured.length === 0)
    return `${nothing} no system is configured for ${names}. Configure inventory, pricing and accounting in ${file}, or check the embedded back office with --mode sandbox`
  const readsInventoryFitment = only.includes('fitment') && configured.includes('inventory')
  const hint = readsInventoryFitment ? '. To check the fitment of the inventory, use --system inventory' : ''
  return `${nothing} ${only.join(', ')} is not configured for ${names}. Configured: ${configured.join(', ')}${hint}`
}

async function readImportedFitment(store: string, tenant: Tenant): Promise<string | null> {
  if (!hasStore(store)) return null
  const current = await withStore(store, (db) => fitmentImports.findCurrent(db, tenant))
  return current ? describeImportedFitment(current) : null
}

function selectMerchants({ merchants }: Config, id: string | undefined): MerchantConfig[] {
  if (id === undefined) return merchants
  const selected = merchants.filter(({ merchant }) => merchant === id)
  if (selected.length > 0) return selected
  throw new UsageError(
    `There is no merchant "${id}" in the configuration. It has: ${merchants.map(({ merchant }) => merchant).join(', ')}`,
  )
}

function selectModes({ sandbox }: MerchantConfig, mode: Mode | undefined): Mode[] {
  if (mode !== undefined) return [mode]
  return sandbox === null ? ['live'] : ['live', 'sandbox']
}

async function readRunningDemoConfig(firstPort: number): Promise<Config> {
  const { dataDirectory } = readDefaultConfig()
  // A demo that ran here has left a token; reading it must not create one.
  if (existsSync(join(dataDirectory, 'sandbox', 'token'))) {
    const config = createDemoConfig(firstPort, ensureSandboxToken(dataDirectory))
    const { inventory, pricing, accounting } = config.merchants[0]!.live
    const areRunning = await Promise.all([inventory, pricing, accounting].map((system) => isRunning(system!.address)))
    if (areRunning.includes(true)) return config
  }
  throw new UsageError(
    `There is no ${DEFAULT_CONFIG_FILE} here, and no demo from this directory responds on port ${firstPort} (for another port, add --sandbox-port <port>). Name a configuration with --config <file>, or start the demo in another terminal: ${forecourtCommand} demo${formatSandboxPortOption(firstPort)}`,
  )
}

/** A system that hangs is running: the doctor reports that it hangs. */
async function isRunning(address: string): Promise<boolean> {
  try {
    await fetch(`${address}/health`, { signal: AbortSignal.timeout(DEMO_CHECK_TIMEOUT_MS) })
    return true
  } catch (error) {
    return (error as Error).name === 'TimeoutError'
  }
}
