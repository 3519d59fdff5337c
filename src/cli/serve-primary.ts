import { adapters } from '../adapters.ts'
import type { Config } from '../config/config.ts'
import { readEnvironmentAgain } from '../config/environment/environment-file.ts'
import { parseServerConfig, readConfigText } from '../config/read-config.ts'
import { type LoadedConfig, startPrimary } from '../runtime/workers/primary.ts'
import { print } from './print.ts'
import { printListenAddresses } from './print-listen-addresses.ts'
import type { ServeCommandOptions } from './serve-command-options.ts'
import {
  describeSandbox,
  embeddedMerchants,
  prepareSandboxShoppers,
  startEmbeddedSandbox,
  toServeSandbox,
} from './serve-sandbox.ts'
import { onHangup } from './shutdown-and-hangup-signals.ts'

/** Runs the primary process of a server with workers until a shutdown signal. */
export async function runServePrimary(options: ServeCommandOptions, shutdown: Promise<string>): Promise<void> {
  const loaded = loadConfig(options)
  const { config } = loaded
  const serveSandbox = toServeSandbox(options, config)
  await using stack = new AsyncDisposableStack()
  const sandbox = await startEmbeddedSandbox(config, serveSandbox)
  if (sandbox) stack.use(sandbox)
  const primary = stack.use(
    await startPrimary({
      loaded,
      load() {
        const next = loadConfig(options)
        requireSameSandbox(options, config, next.config)
        return next
      },
      prepare: (db, prepared) => prepareSandboxShoppers(db, prepared, toServeSandbox(options, prepared)),
    }),
  )
  printListenAddresses(primary.addresses, config)
  for (const line of describeSandbox(config, { isRunning: sandbox !== null, ...serveSandbox })) print(line)
  onHangup(() => {
    primary.reopenLog()
    void primary.reload()
  })
  const reason = await shutdown
  print('Finishing requests in progress …')
  await primary.drain(reason)
}

function loadConfig({ config: file }: ServeCommandOptions): LoadedConfig {
  const environment = readEnvironmentAgain()
  const configText = readConfigText(file)
  return { configText, environment, config: parseServerConfig(configText, file, adapters, environment).config }
}

/** The embedded systems were started with the accounts of these merchants. */
function requireSameSandbox(options: ServeCommandOptions, config: Config, next: Config): void {
  const accounts = (one: Config) => (toServeSandbox(options, one).runsSandbox ? embeddedMerchants(one) : []).join(', ')
  if (accounts(config) === accounts(next)) return
  throw new Error(
    `The embedded back office runs for ${accounts(config) || 'no merchant'}: restart the server to run it for ${accounts(next) || 'no merchant'}.`,
  )
}
