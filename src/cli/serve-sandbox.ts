import type { Config } from '../config/config.ts'
import type { SystemsConfig } from '../config/system-config.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { Database } from '../storage/database.ts'
import { createEmbeddedSystemsConfig, startMissingSystems } from './embedded-systems.ts'
import { printError } from './print.ts'
import { refusePortConflicts } from './refuse-port-conflicts.ts'
import { addSandboxShoppers, removeSandboxShoppers } from './sandbox/sandbox-shoppers.ts'
import { DEFAULT_SANDBOX_PORT, toSandboxPorts } from './sandbox-ports.ts'
import { ensureSandboxToken } from './sandbox-token.ts'
import type { ServeCommandOptions } from './serve-command-options.ts'

/** The embedded back office of a server. */
export interface ServeSandbox {
  firstPort: number
  /** Sandbox keys of merchants without sandbox systems work. */
  runsSandbox: boolean
}

export const toServeSandbox = (
  { embeddedSandbox, sandboxPort }: ServeCommandOptions,
  config: Config,
): ServeSandbox => ({
  firstPort: sandboxPort ?? DEFAULT_SANDBOX_PORT,
  runsSandbox: embeddedSandbox ?? config.embeddedSandbox !== false,
})

/** Lists the merchants without sandbox systems of their own. */
export const embeddedMerchants = ({ merchants }: Config): string[] =>
  merchants.filter(({ sandbox }) => sandbox === null).map(({ merchant }) => merchant)

/** Returns the sandbox systems of merchants that configure none. */
export function toEmbeddedSystems(
  config: Config,
  { firstPort, runsSandbox }: ServeSandbox,
): (merchant: string) => SystemsConfig | null {
  return runsSandbox ? createEmbeddedSystemsConfig(firstPort, ensureSandboxToken(config.dataDirectory)) : () => null
}

/** Keeps the shoppers of an embedded sandbox that is off, so that their carts and orders are there when it is turned on again. */
export async function prepareSandboxShoppers(
  db: Database,
  { merchants }: Config,
  { runsSandbox }: ServeSandbox,
): Promise<void> {
  for (const { merchant, sandbox } of merchants) {
    if (sandbox) await removeSandboxShoppers(db, merchant)
    else if (runsSandbox) await addSandboxShoppers(db, merchant)
  }
}

/** Starts the embedded back office if a merchant needs it. When it cannot start, live merchants are served without it. */
export async function startEmbeddedSandbox(
  config: Config,
  { firstPort, runsSandbox }: ServeSandbox,
): Promise<Sandbox | null> {
  const { merchants, dataDirectory } = config
  const accounts = embeddedMerchants(config)
  if (!runsSandbox || accounts.length === 0) return null
  const token = ensureSandboxToken(dataDirectory)
  const onExit = (system: string) =>
    printError(`The embedded ${system} system has exited; sandbox keys are served without it.`)
  try {
    refusePortConflicts(firstPort, config)
    return await startMissingSystems({ dataDirectory, accounts, firstPort, token, onExit })
  } catch (error) {
    if (!merchants.some(({ live }) => Object.keys(live).length > 0)) throw error
    const reason = (error as Error).message.replace(/\.?$/, '.')
    printError(`${reason} Sandbox keys of ${accounts.join(', ')} are served without it.`)
    return null
  }
}

/** Returns the lines that say where the embedded back office runs, or how to run it. */
export function describeSandbox(
  config: Config,
  { isRunning, runsSandbox, firstPort }: ServeSandbox & { isRunning: boolean },
): string[] {
  const merchants = embeddedMerchants(config)
  if (merchants.length === 0 || (runsSandbox && !isRunning)) return []
  const names = merchants.join(', ')
  return isRunning
    ? [
        `Sandbox of ${names} on ports ${Object.values(toSandboxPorts(firstPort)).join(', ')} of this machine; "embedded_sandbox: false" in the configuration turns it off`,
      ]
    : [
        `Sandbox keys of ${names} are refused; "embedded_sandbox: true" in the configuration, or --embedded-sandbox, runs the embedded back office for them`,
      ]
}
