import { adapters } from '../adapters.ts'
import type { Config } from '../config/config.ts'
import { readServerConfig } from '../config/read-config.ts'
import { type Forecourt, startForecourt } from '../runtime/start.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { Database } from '../storage/database.ts'
import { createEmbeddedSystemsConfig, ensureSandboxToken, startMissingSystems } from './embedded-sandbox.ts'
import { print, printError } from './print.ts'
import { addSandboxShoppers, removeSandboxShoppers } from './sandbox/sandbox-shoppers.ts'
import { DEFAULT_SANDBOX_PORT, toSandboxPorts } from './sandbox-ports.ts'
import { onHangup, waitForShutdownSignal } from './shutdown-signal.ts'

export interface ServeCommandOptions {
  config: string
  sandboxPort?: number
  /** Overrides `embedded_sandbox` of the file. */
  embeddedSandbox?: boolean
}

/** Serves the merchants of a configuration file until a shutdown signal, with the embedded back office if it is on and one of them has no sandbox systems. */
export async function runServe(options: ServeCommandOptions): Promise<void> {
  const shutdown = waitForShutdownSignal()
  const { config } = readServerConfig(options.config, adapters)
  const runsSandbox = options.embeddedSandbox ?? config.embeddedSandbox !== false
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  await using stack = new AsyncDisposableStack()
  const sandbox = runsSandbox ? await startEmbeddedSandbox(config, firstPort) : null
  if (sandbox) stack.use(sandbox)
  const forecourt = stack.use(
    await startForecourt({
      config,
      adapters,
      embeddedSystemsFor: runsSandbox
        ? createEmbeddedSystemsConfig(firstPort, ensureSandboxToken(config.dataDirectory))
        : () => null,
      prepare: (db) => prepareSandboxShoppers(db, config, runsSandbox),
    }),
  )
  printAddresses(forecourt, config)
  if (config.listen.tls) onHangup(forecourt.reloadCertificate)
  for (const line of describeSandbox(config, { isRunning: sandbox !== null, runsSandbox, firstPort })) print(line)
  const reason = await shutdown
  print('Finishing requests in progress …')
  await forecourt.drain(reason)
}

/** Leaves the shoppers of an embedded sandbox that is off: their carts and orders are there when it is on again. */
async function prepareSandboxShoppers(db: Database, { merchants }: Config, runsSandbox: boolean): Promise<void> {
  for (const { merchant, sandbox } of merchants) {
    if (sandbox) await removeSandboxShoppers(db, merchant)
    else if (runsSandbox) await addSandboxShoppers(db, merchant)
  }
}

function describeSandbox(
  config: Config,
  { isRunning, runsSandbox, firstPort }: { isRunning: boolean; runsSandbox: boolean; firstPort: number },
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

function printAddresses({ address, operationsAddress, metricsAddress }: Forecourt, config: Config): void {
  print(`Forecourt is ready at ${address} for ${config.merchants.map(({ merchant }) => merchant).join(', ')}`)
  if (operationsAddress) print(`Operations pages at ${config.operations?.url ?? operationsAddress}`)
  if (metricsAddress) print(`Metrics at ${metricsAddress}`)
}

/** Lists the merchants without sandbox systems of their own. */
const embeddedMerchants = ({ merchants }: Config): string[] =>
  merchants.filter(({ sandbox }) => sandbox === null).map(({ merchant }) => merchant)

/** Starts the embedded back office if a merchant needs it. When it cannot start, live merchants are served without it. */
async function startEmbeddedSandbox(config: Config, firstPort: number): Promise<Sandbox | null> {
  const { merchants, dataDirectory } = config
  const accounts = embeddedMerchants(config)
  if (accounts.length === 0) return null
  const token = ensureSandboxToken(dataDirectory)
  const onExit = (system: string) =>
    printError(`The embedded ${system} system has exited; sandbox keys are served without it.`)
  try {
    return await startMissingSystems({ dataDirectory, accounts, firstPort, token, onExit })
  } catch (error) {
    if (!merchants.some(({ live }) => Object.keys(live).length > 0)) throw error
    const reason = (error as Error).message.replace(/\.?$/, '.')
    printError(`${reason} Sandbox keys of ${accounts.join(', ')} are served without it.`)
    return null
  }
}
