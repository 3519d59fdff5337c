import { attacks } from '../load/attacks.ts'
import { createLoadClient, type TimedResponse } from '../load/load-client.ts'
import { runOpenLoop } from '../load/open-loop.ts'
import { rssMib } from '../measure/process-usage.ts'
import { quantile, round } from '../measure/statistics.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import type { AttackOrder } from '../systems/attacker.ts'
import { spawnSystem } from '../systems/spawn-system.ts'
import { startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const CACHE_MIB = 256
const PER_SECOND = 20
/** The products that the other client reads, again and again. */
const PRODUCTS = 200
const SAMPLE_MS = 100

/** HOSTILE: one publishable key attacks in several ways, while another client of the shop reads, and probes ask for /livez on the API's port and on the port of the metrics. */
export async function measureHostileClients({ short }: ScenarioOptions): Promise<ScenarioResult> {
  const seconds = short ? 5 : 20
  const figures: Record<string, AttackFigures> = {}
  for (const attack of Object.keys(attacks)) figures[attack] = await measureAttack(attack, seconds)
  const rows = Object.entries(figures).map(([attack, one]) => [attack, ...Object.values(one)])
  const note = `${seconds} s each; caches of ${CACHE_MIB} MiB; the probes and the other client each send ${PER_SECOND} requests per second, the probes on new connections`
  const columns = [
    'attack',
    'livez p50 ms',
    'livez p99 ms',
    'livez answered',
    'on the metrics port p99 ms',
    'loop delay p99 ms',
    'peak RSS MiB',
    'over the cap MiB',
    'others served',
  ]
  return { name: 'hostile', tables: [{ title: 'HOSTILE: one publishable key', note, columns, rows }], figures }
}

interface AttackFigures {
  livezP50Ms: number
  livezP99Ms: number
  livezAnswered: number
  /** On the port of the metrics, which has a queue of new connections of its own. */
  innerLivezP99Ms: number
  /** Of Forecourt's own event loop: unlike the probe's times, it leaves out what the attacker takes of the probe's core. */
  loopDelayP99Ms: number
  peakRssMib: number
  overCapMib: number
  othersServed: number
}

async function measureAttack(attack: string, seconds: number): Promise<AttackFigures> {
  await using forecourt = await startForecourtWithStubs({ cacheMib: CACHE_MIB })
  await using attacker = await spawnSystem('attacker.ts', {}, 'load')
  using others = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, 64)
  using probe = createLoadClient(forecourt.address, { connection: 'close' }, 64)
  using innerProbe = createLoadClient(forecourt.process.ready.metricsAddress, { connection: 'close' }, 64)
  const readLoopDelay = () => readLoopDelayP99Ms(forecourt.process.ready.metricsAddress)
  // Each reading starts a new measurement.
  await readLoopDelay()
  const rss: number[] = []
  const sampler = setInterval(() => rss.push(rssMib(forecourt.pid)), SAMPLE_MS)
  const target = { address: forecourt.address, authorization: `Bearer ${forecourt.process.ready.limitedKey}` }
  const [reads, probes, innerProbes] = await Promise.all([
    runOpenLoop(others, { perSecond: PER_SECOND, seconds, path: (count) => `/v1/products/SKU-${count % PRODUCTS}` }),
    runOpenLoop(probe, { perSecond: PER_SECOND, seconds, path: () => '/livez' }),
    runOpenLoop(innerProbe, { perSecond: PER_SECOND, seconds, path: () => '/livez' }),
    attacker.request({ attack, target, seconds } satisfies AttackOrder),
  ])
  clearInterval(sampler)
  const times = probes.map(({ ms }) => ms)
  const peakRssMib = Math.round(Math.max(...rss))
  return {
    livezP50Ms: round(quantile(times, 0.5)),
    livezP99Ms: round(quantile(times, 0.99)),
    livezAnswered: shareServed(probes),
    innerLivezP99Ms: round(
      quantile(
        innerProbes.map(({ ms }) => ms),
        0.99,
      ),
    ),
    loopDelayP99Ms: await readLoopDelay(),
    peakRssMib,
    overCapMib: peakRssMib - CACHE_MIB,
    othersServed: shareServed(reads),
  }
}

async function readLoopDelayP99Ms(metricsAddress: string): Promise<number> {
  const metrics = await (await fetch(`${metricsAddress}/metrics`)).text()
  const [, seconds] = /^forecourt_event_loop_delay_seconds\{percentile="99"\} (\S+)$/m.exec(metrics)!
  return round(Number(seconds) * 1_000)
}

const shareServed = (responses: readonly TimedResponse[]) =>
  round(responses.filter(({ status }) => status === 200).length / responses.length, 4)
