import { adapters } from '../adapters.ts'
import type { ParsedConfigFile } from '../config/parse-config-file.ts'
import { readServerConfig } from '../config/read-config.ts'
import { isWorker } from '../runtime/workers/primary-link.ts'
import { print } from './print.ts'
import { printListenAddresses } from './print-listen-addresses.ts'
import type { ServeCommandOptions } from './serve-command-options.ts'
import {
  describeSandbox,
  prepareSandboxShoppers,
  startEmbeddedSandbox,
  toEmbeddedSystems,
  toServeSandbox,
} from './serve-sandbox.ts'
import { onHangup, waitForShutdownSignal } from './shutdown-and-hangup-signals.ts'

/**
 * Serves the merchants of a configuration file until a shutdown signal, with the embedded back office if it is on and one of them has no sandbox
 * systems. With `workers`, this process starts them and serves nothing itself, so it does not load the server.
 */
export async function runServe(options: ServeCommandOptions): Promise<void> {
  if (isWorker()) return (await import('./serve-worker.ts')).runServeWorker(options)
  const shutdown = waitForShutdownSignal()
  const { config, digest } = readServerConfig(options.config, adapters)
  if (config.workers === undefined) return serveAlone(options, { config, digest }, shutdown)
  return (await import('./serve-primary.ts')).runServePrimary(options, shutdown)
}

async function serveAlone(
  options: ServeCommandOptions,
  { config, digest }: Pick<ParsedConfigFile, 'config' | 'digest'>,
  shutdown: Promise<string>,
): Promise<void> {
  const { startForecourt } = await import('../runtime/start.ts')
  const serveSandbox = toServeSandbox(options, config)
  await using stack = new AsyncDisposableStack()
  const sandbox = await startEmbeddedSandbox(config, serveSandbox)
  if (sandbox) stack.use(sandbox)
  const forecourt = stack.use(
    await startForecourt({
      config,
      configDigest: digest,
      adapters,
      embeddedSystemsFor: toEmbeddedSystems(config, serveSandbox),
      prepare: (db) => prepareSandboxShoppers(db, config, serveSandbox),
    }),
  )
  printListenAddresses(forecourt, config)
  if (config.listen.tls || config.log.file !== null)
    onHangup(() => {
      forecourt.reopenLog()
      forecourt.reloadCertificate()
    })
  for (const line of describeSandbox(config, { isRunning: sandbox !== null, ...serveSandbox })) print(line)
  const reason = await shutdown
  print('Finishing requests in progress …')
  await forecourt.drain(reason)
}
