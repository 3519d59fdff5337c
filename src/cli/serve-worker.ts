import { adapters } from '../adapters.ts'
import { environment } from '../config/environment/process-environment.ts'
import { parseServerConfig } from '../config/read-config.ts'
import { startForecourt } from '../runtime/start.ts'
import { connectToPrimary, type DrainCommand, type PrimaryLink } from '../runtime/workers/primary-link.ts'
import { ignoreClosedOutput } from './print.ts'
import type { ServeCommandOptions } from './serve-command-options.ts'
import { toEmbeddedSystems, toServeSandbox } from './serve-sandbox.ts'

/** Serves as one of several workers, until the primary process or a signal ends it. */
export async function runServeWorker(options: ServeCommandOptions): Promise<void> {
  ignoreClosedOutput()
  const signal = waitForSignal()
  const link = await connectToPrimary()
  try {
    await serve(options, link, signal)
  } catch (error) {
    await link.fail((error as Error).message)
    process.exit(1)
  }
  await link.end()
}

async function serve(options: ServeCommandOptions, link: PrimaryLink, signal: Promise<DrainCommand>): Promise<void> {
  const { config, digest } = parseServerConfig(link.configText, options.config, adapters, environment)
  await using forecourt = await startForecourt({
    config,
    configDigest: digest,
    adapters,
    embeddedSystemsFor: toEmbeddedSystems(config, toServeSandbox(options, config)),
    worker: { worker: link.worker, readMetrics: link.readMetrics },
  })
  link.reportMetrics(forecourt.reportMetrics)
  link.onLogMoved(forecourt.reopenLog)
  const { address, metricsAddress, operationsAddress } = forecourt
  link.ready({ address, metricsAddress, operationsAddress })
  const { reason, isReplaced } = await Promise.race([link.drain, signal])
  await (isReplaced ? forecourt.handOver(reason) : forecourt.drain(reason))
}

/** A worker drains at SIGTERM and SIGINT. A supervisor and a terminal send them to the primary process too, which then does not start another worker. */
function waitForSignal(): Promise<DrainCommand> {
  // This signal comes from a closed terminal, or is meant for the primary process.
  process.on('SIGHUP', () => {})
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => resolve({ reason: signal, isReplaced: false }))
  })
}
