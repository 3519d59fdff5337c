import { join } from 'node:path'
import { adapters } from '../../adapters.ts'
import { type Config, readDefaultConfig } from '../../config/config.ts'
import { startForecourt } from '../../runtime/start.ts'
import { formatSandboxCommand } from '../command-hints.ts'
import {
  createEmbeddedSystemsConfig,
  DEFAULT_SANDBOX_PORT,
  ensureSandboxToken,
  startMissingSystems,
} from '../embedded-sandbox.ts'
import { print, printError } from '../print.ts'
import { addSandboxShoppers } from '../sandbox/sandbox-shoppers.ts'
import { waitForShutdownSignal } from '../shutdown-signal.ts'
import { formatDemoBanner } from './demo-banner.ts'
import { ensureDemoKeys } from './demo-keys.ts'
import { ensureDemoOperator } from './demo-operator.ts'

/** The embedded account that live keys of the demo merchant read: apart from the sandbox's, so that the two modes never meet. */
const LIVE_ACCOUNT = 'demo-live'

/** Somebody is watching. */
const FEED_MS = 1_000

/** One merchant, a retailer of auto parts, over the embedded back office. */
export function createDemoConfig(firstPort: number, token: string): Config {
  const base = readDefaultConfig()
  return {
    ...base,
    log: { file: join(base.dataDirectory, 'forecourt.log'), level: 'info' },
    mail: { url: 'log:', from: 'Demo Auto Parts <shop@demo.example>' },
    webhooks: { ...base.webhooks, allow: ['127.0.0.1', 'localhost'] },
    feedIntervalMs: FEED_MS,
    merchants: [
      {
        merchant: 'demo',
        name: 'Demo Auto Parts',
        currency: 'JMD',
        timeZone: 'America/Jamaica',
        bands: { low: 5, hysteresis: 2 },
        live: createEmbeddedSystemsConfig(firstPort, token)(LIVE_ACCOUNT),
        sandbox: null,
      },
    ],
  }
}

export async function runDemo(options: { sandboxPort?: number }): Promise<void> {
  const startedAt = performance.now()
  const stopped = waitForShutdownSignal()
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const { dataDirectory } = readDefaultConfig()
  const token = ensureSandboxToken(dataDirectory)
  const config = createDemoConfig(firstPort, token)
  await using stack = new AsyncDisposableStack()
  const onExit = (system: string) =>
    printError(
      `${system} has ended. The API goes on without it; start it again with: ${formatSandboxCommand(firstPort, dataDirectory)} --only ${system}`,
    )
  const embeddedStart = startMissingSystems({
    dataDirectory,
    accounts: ['demo', LIVE_ACCOUNT],
    firstPort,
    token,
    onExit,
  })
  const [backOffice, forecourt] = await together(
    stack,
    embeddedStart,
    startForecourt({
      ...{ config, adapters, embedded: createEmbeddedSystemsConfig(firstPort, token), embeddedStart },
      prepare: (db) => addSandboxShoppers(db, 'demo'),
    }),
  )
  const keys = await ensureDemoKeys(forecourt.db, dataDirectory)
  const operator = await ensureDemoOperator(forecourt.db, dataDirectory)
  const { systems } = backOffice
  const ms = performance.now() - startedAt
  const { address, operationsAddress } = forecourt
  print(formatDemoBanner({ address, operationsAddress, operator, keys, systems, firstPort, config, ms }))
  await stopped
  print('Finishing what is under way …')
  await forecourt.drain()
}

/** Starts two things at once; when one of them cannot start, the other is put away too. */
async function together<A extends AsyncDisposable, B extends AsyncDisposable>(
  stack: AsyncDisposableStack,
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const starts = await Promise.allSettled([first, second])
  for (const start of starts) if (start.status === 'fulfilled') stack.use(start.value)
  for (const start of starts) if (start.status === 'rejected') throw start.reason
  return Promise.all([first, second])
}
