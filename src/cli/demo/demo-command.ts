import { adapters } from '../../adapters.ts'
import { readDefaultConfig } from '../../config/conversion/default-config.ts'
import { createEventStreams } from '../../http/responses/event-streams.ts'
import { startForecourt } from '../../runtime/start.ts'
import type { ShopSettings } from '../../shop/server/shop-page.ts'
import { registerShop } from '../../shop/server/shop-routes.ts'
import { explainDiskFailure } from '../../storage/explain-disk-failure.ts'
import { createEmbeddedSystemsConfig, DEMO_LIVE_ACCOUNT, startMissingSystems } from '../embedded-systems.ts'
import { print, printError } from '../print.ts'
import { refusePortConflicts } from '../refuse-port-conflicts.ts'
import { addSandboxShoppers } from '../sandbox/sandbox-shoppers.ts'
import { DEFAULT_SANDBOX_PORT } from '../sandbox-ports.ts'
import { ensureSandboxToken } from '../sandbox-token.ts'
import { waitForShutdownSignal } from '../shutdown-and-hangup-signals.ts'
import { formatSandboxCommand } from '../suggested-command-lines.ts'
import { formatDemoBanner } from './demo-banner.ts'
import { createDemoConfig, DEMO_NAME } from './demo-config.ts'
import { ensureDemoKeys } from './demo-keys.ts'
import { ensureDemoOperator } from './demo-operator.ts'
import { subscribeDemoShop } from './demo-shop-subscription.ts'
import { ensureDemoReferences } from './ensure-demo-references.ts'
import { explainTakenPorts } from './explain-taken-ports.ts'

/** Serves the demo merchant with the embedded back office until a shutdown signal. */
export async function runDemo(options: { sandboxPort?: number }): Promise<void> {
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  try {
    await serveDemo(firstPort)
  } catch (error) {
    // What has started has ended again, and its ports are free.
    throw explainDiskFailure(await explainTakenPorts(error, firstPort), readDefaultConfig().store)
  }
}

async function serveDemo(firstPort: number): Promise<void> {
  const startedAt = performance.now()
  const shutdown = waitForShutdownSignal()
  const { dataDirectory } = readDefaultConfig()
  const token = ensureSandboxToken(dataDirectory)
  const config = createDemoConfig(firstPort, token)
  refusePortConflicts(firstPort, config)
  const shop = Promise.withResolvers<ShopSettings>()
  await using stack = new AsyncDisposableStack()
  // Ended before the server, which waits for open responses.
  using shopStreams = createEventStreams()
  const embeddedStart = startMissingSystems({
    dataDirectory,
    accounts: ['demo', DEMO_LIVE_ACCOUNT],
    firstPort,
    token,
    onExit: (system) =>
      printError(
        `${system} has exited; the API runs without it. Start it again with: ${formatSandboxCommand(firstPort, dataDirectory)} --only ${system}`,
      ),
  })
  const [{ systems }, forecourt] = await startBoth(
    stack,
    embeddedStart,
    startForecourt({
      config,
      adapters,
      embeddedSystemsFor: createEmbeddedSystemsConfig(firstPort, token),
      embeddedStart,
      registerRoutes: (router) => registerShop(router, shop.promise, shopStreams),
      onStoreChange: (reason) => printError(describeStoreChange(reason, dataDirectory)),
      prepare: async (db) => {
        await addSandboxShoppers(db, 'demo')
        await ensureDemoReferences(db)
      },
    }),
  )
  const { address, operationsAddress, db } = forecourt
  const keys = await ensureDemoKeys(db, dataDirectory)
  const operator = await ensureDemoOperator(db, dataDirectory)
  shop.resolve({
    name: DEMO_NAME,
    address,
    publishableKey: keys.publishable,
    secretKey: keys.secret,
    webhookSecret: await subscribeDemoShop(address, keys.secret),
    pictureOrigin: `http://127.0.0.1:${firstPort}`,
    operationsAddress,
  })
  const startMs = performance.now() - startedAt
  print(formatDemoBanner({ address, operationsAddress, operator, keys, systems, firstPort, config, startMs }))
  const reason = await shutdown
  print('Finishing requests in progress …')
  await forecourt.drain(reason)
}

/** The log of the demo is a file, so the terminal says it too. */
const describeStoreChange = (reason: string | null, dataDirectory: string): string =>
  reason === null
    ? 'The store can be used again.'
    : `The store in ${dataDirectory} cannot be used: ${reason}. Carts, orders and sign-ins fail until this is mended; free space on its disk, or start again with FORECOURT_DATA set to a folder elsewhere.`

/** Waits for two starts. When one fails, the other is disposed too. */
async function startBoth<A extends AsyncDisposable, B extends AsyncDisposable>(
  stack: AsyncDisposableStack,
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const starts = await Promise.allSettled([first, second])
  for (const start of starts) if (start.status === 'fulfilled') stack.use(start.value)
  for (const start of starts) if (start.status === 'rejected') throw start.reason
  return Promise.all([first, second])
}
