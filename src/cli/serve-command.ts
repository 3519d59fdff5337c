import { adapters } from '../adapters.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read-config.ts'
import { type Forecourt, startForecourt } from '../runtime/start.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import { createEmbeddedSystemsConfig, ensureSandboxToken, startMissingSystems } from './embedded-sandbox.ts'
import { print, printError } from './print.ts'
import { addSandboxShoppers, removeSandboxShoppers } from './sandbox/sandbox-shoppers.ts'
import { DEFAULT_SANDBOX_PORT, toSandboxPorts } from './sandbox-ports.ts'
import { onHangup, waitForShutdownSignal } from './shutdown-signal.ts'

/** Serves the merchants of a configuration file until a shutdown signal, with the embedded back office if one of them has no sandbox systems. */
export async function runServe(options: { config: string; sandboxPort?: number }): Promise<void> {
  const shutdown = waitForShutdownSignal()
  const config = readConfig(options.config, adapters)
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const token = ensureSandboxToken(config.dataDirectory)
  await using stack = new AsyncDisposableStack()
  const sandbox = await startEmbeddedSandbox(config, firstPort, token)
  if (sandbox) stack.use(sandbox)
  const forecourt = stack.use(
    await startForecourt({
      config,
      adapters,
      embeddedSystemsFor: createEmbeddedSystemsConfig(firstPort, token),
      async prepare(db) {
        for (const { merchant, sandbox } of config.merchants)
          await (sandbox === null ? addSandboxShoppers : removeSandboxShoppers)(db, merchant)
      },
    }),
  )
  printAddresses(forecourt, config)
  if (sandbox)
    print(
      `Sandbox of ${embeddedMerchants(config).join(', ')} on ports ${Object.values(toSandboxPorts(firstPort)).join(', ')} of this machine; "sandbox: {}" in the configuration turns it off`,
    )
  if (config.listen.tls) onHangup(forecourt.reloadCertificate)
  await shutdown
  print('Finishing requests in progress …')
  await forecourt.drain()
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
async function startEmbeddedSandbox(config: Config, firstPort: number, token: string): Promise<Sandbox | null> {
  const { merchants, dataDirectory } = config
  const accounts = embeddedMerchants(config)
  if (accounts.length === 0) return null
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
