import { join } from 'node:path'
import { adapters } from '../adapters.ts'
import { type Config, defaults } from '../config.ts'
import { startForecourt } from '../forecourt.ts'
import { type DemoKeys, demoKeys } from './demo-keys.ts'
import { DEFAULT_SANDBOX_PORT, embeddedSystems, portOption, sandboxToken, startMissing } from './embedded.ts'
import { print, printError } from './print.ts'
import { sandboxShoppers } from './sandbox-shoppers.ts'
import { untilStopped } from './until-stopped.ts'

/** The embedded account that live keys of the demo merchant read: apart from the sandbox's, so that the two modes never meet. */
const LIVE_ACCOUNT = 'demo-live'

/** Somebody is watching. */
const FEED_MS = 1_000

/** One merchant, a retailer of auto parts, over the embedded back office. */
export function demoConfig(firstPort: number, token: string): Config {
  const base = defaults()
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
        live: embeddedSystems(firstPort, token)(LIVE_ACCOUNT),
        sandbox: null,
      },
    ],
  }
}

export async function demo(options: { sandboxPort?: number }): Promise<void> {
  const startedAt = performance.now()
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const { dataDirectory } = defaults()
  const token = sandboxToken(dataDirectory)
  const config = demoConfig(firstPort, token)
  await using stack = new AsyncDisposableStack()
  const onExit = (system: string) =>
    printError(
      `${system} has ended. The API goes on without it; start it again with: npx forecourt sandbox --only ${system}${portOption(firstPort)}`,
    )
  const [backOffice, forecourt] = await together(
    stack,
    startMissing({ dataDirectory, accounts: ['demo', LIVE_ACCOUNT], firstPort, token, onExit }),
    startForecourt({ config, adapters, embedded: embeddedSystems(firstPort, token) }),
  )
  const keys = await demoKeys(forecourt.db, dataDirectory)
  await sandboxShoppers(forecourt.db, 'demo')
  const stopped = untilStopped()
  print(banner(forecourt.address, keys, backOffice.systems, firstPort, config, performance.now() - startedAt))
  await stopped
  print('Finishing what is under way …')
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

function banner(
  address: string,
  keys: DemoKeys,
  systems: { system: string; pid: number; address: string }[],
  firstPort: number,
  config: Config,
  ms: number,
): string {
  const running = systems.map(({ system, pid, address: at }) => `  ${system.padEnd(11)} ${at}   pid ${pid}`)
  const hint = portOption(firstPort)
  const pricing = systems.find(({ system }) => system === 'pricing')
  return `
Forecourt is ready at ${address}   (${(ms / 1_000).toFixed(1)} s)

  publishable key  ${keys.publishable}
  secret key       ${keys.secret}

Try it:
  curl -s -H 'Authorization: Bearer ${keys.publishable}' '${address}/v1/products?limit=2'

Shop (sign in, a cart, a checkout): npx forecourt sandbox outcomes lists shoppers, goods and codes; the README has the calls

The back office behind it:
${running.join('\n') || '  already running'}

Watch events arrive, in another terminal (npx forecourt sandbox --help lists what makes them):
  npx forecourt webhooks listen
  npx forecourt sandbox${hint} ship SO-100106

Make a section fail:
  curl -s -H 'Authorization: Bearer ${keys.publishable}' -H 'X-Sandbox-Fault: pricing=timeout' '${address}/v1/products/BP-1001'
  npx forecourt sandbox${hint} fault pricing --hang        (and --clear)${pricing ? `\n  kill -STOP ${pricing.pid}` : ''}

Reference ${address}/docs · log ${config.log.file} · Ctrl-C stops
`
}
