import { adapters } from '../adapters.ts'
import { type Config, readConfig } from '../config/config.ts'
import { startForecourt } from '../runtime/start.ts'
import {
  createEmbeddedSystemsConfig,
  DEFAULT_SANDBOX_PORT,
  ensureSandboxToken,
  startMissingSystems,
  toSandboxPorts,
} from './embedded-sandbox.ts'
import { print, printError } from './print.ts'
import { addSandboxShoppers, removeSandboxShoppers } from './sandbox/sandbox-shoppers.ts'
import { waitForShutdownSignal } from './shutdown-signal.ts'

/** Serves the merchants of a configuration file. The embedded back office runs too when one of them names no sandbox systems. */
export async function runServe(options: { config: string; sandboxPort?: number }): Promise<void> {
  const stopped = waitForShutdownSignal()
  const config = readConfig(options.config, adapters)
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const token = ensureSandboxToken(config.dataDirectory)
  await using stack = new AsyncDisposableStack()
  const sandbox = await sandboxBeside(config, firstPort, token)
  if (sandbox) stack.use(sandbox.backOffice)
  const forecourt = stack.use(
    await startForecourt({
      ...{ config, adapters, embedded: createEmbeddedSystemsConfig(firstPort, token) },
      async prepare(db) {
        for (const { merchant, sandbox } of config.merchants)
          await (sandbox === null ? addSandboxShoppers : removeSandboxShoppers)(db, merchant)
      },
    }),
  )
  print(`Forecourt is ready at ${forecourt.address} for ${config.merchants.map(({ merchant }) => merchant).join(', ')}`)
  if (forecourt.operationsAddress) print(`Operations at ${config.operations?.url ?? forecourt.operationsAddress}`)
  if (forecourt.metricsAddress) print(`Metrics at ${forecourt.metricsAddress}`)
  if (sandbox) print(`Sandbox of ${sandbox.of} at ${sandbox.at} of this machine; "sandbox: {}" leaves it out`)
  await stopped
  print('Finishing what is under way …')
  await forecourt.drain()
}

/** For the merchants that name no sandbox systems. Who sells does not close for want of a place to try things in. */
async function sandboxBeside({ merchants, dataDirectory }: Config, firstPort: number, token: string) {
  const accounts = merchants.filter(({ sandbox }) => sandbox === null).map(({ merchant }) => merchant)
  if (accounts.length === 0) return null
  const onExit = (system: string) => printError(`The embedded ${system} has ended; sandbox keys are served without it.`)
  const of = accounts.join(', ')
  try {
    const backOffice = await startMissingSystems({ dataDirectory, accounts, firstPort, token, onExit })
    return { backOffice, of, at: Object.values(toSandboxPorts(firstPort)).join(', ') }
  } catch (error) {
    if (!merchants.some(({ live }) => Object.keys(live).length > 0)) throw error
    const said = (error as Error).message.replace(/\.?$/, '.')
    printError(`${said} Until then sandbox keys of ${of} are served without it.`)
    return null
  }
}
