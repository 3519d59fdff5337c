import { adapters } from '../adapters.ts'
import { readConfig } from '../config.ts'
import { startForecourt } from '../forecourt.ts'
import { DEFAULT_SANDBOX_PORT, embeddedSystems, sandboxPorts, sandboxToken, startMissing } from './embedded.ts'
import { print, printError } from './print.ts'
import { noSandboxShoppers, sandboxShoppers } from './sandbox-shoppers.ts'
import { untilStopped } from './until-stopped.ts'

/** Serves the merchants of a configuration file. The embedded back office runs too when one of them names no sandbox systems. */
export async function serve(options: { config: string; sandboxPort?: number }): Promise<void> {
  const stopped = untilStopped()
  const config = readConfig(options.config, adapters)
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const token = sandboxToken(config.dataDirectory)
  await using stack = new AsyncDisposableStack()
  const accounts = config.merchants.filter((merchant) => merchant.sandbox === null).map(({ merchant }) => merchant)
  let sandbox = ''
  if (accounts.length > 0) {
    const onExit = (system: string) =>
      printError(`The embedded ${system} has ended; sandbox keys are served without it.`)
    const starting = startMissing({ dataDirectory: config.dataDirectory, accounts, firstPort, token, onExit })
    const started = await starting.catch((error: Error) => {
      // Who sells does not close for want of a place to try things in.
      if (!config.merchants.some(({ live }) => Object.keys(live).length > 0)) throw error
      printError(
        `${error.message.replace(/\.?$/, '.')} Until then sandbox keys of ${accounts.join(', ')} are served without it.`,
      )
    })
    if (started) {
      stack.use(started)
      sandbox = `Sandbox of ${accounts.join(', ')} at ${Object.values(sandboxPorts(firstPort)).join(', ')} of this machine; "sandbox: {}" leaves it out`
    }
  }
  const forecourt = stack.use(
    await startForecourt({
      ...{ config, adapters, embedded: embeddedSystems(firstPort, token) },
      async prepare(db) {
        for (const { merchant, sandbox } of config.merchants)
          await (sandbox === null ? sandboxShoppers : noSandboxShoppers)(db, merchant)
      },
    }),
  )
  print(`Forecourt is ready at ${forecourt.address} for ${config.merchants.map(({ merchant }) => merchant).join(', ')}`)
  if (forecourt.operationsAddress) print(`Operations at ${config.operations?.url ?? forecourt.operationsAddress}`)
  if (forecourt.metricsAddress) print(`Metrics at ${forecourt.metricsAddress}`)
  if (sandbox) print(sandbox)
  await stopped
  print('Finishing what is under way …')
  await forecourt.drain()
}
