import { createLoadClient, type TimedResponse } from '../load/client.ts'
import { runOpenLoop } from '../load/open-loop.ts'
import { quantile, round } from '../measure/statistics.ts'
import { type ScenarioResult, toFiguresTable } from '../report.ts'
import { type ScenarioOptions, startBenchEnvironment } from './bench-environment.ts'

const PER_SECOND = 100
const WAITED_MS = 300
const RECOVERY_SECONDS = 10

interface Seen extends TimedResponse {
  codes: string[]
  priced: boolean
}

/** ONE HUNG: healthy traffic, then pricing takes calls and never answers, then it is well again. */
export async function measureHungUpstream({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startBenchEnvironment({ delayMs: 20 })
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, 512)
  const phase = async (name: string, seconds: number, until?: (seen: Seen) => boolean) => {
    let over = false
    const onAnswer = (asked: TimedResponse) => {
      over ||= until?.(seenIn(asked)) ?? false
    }
    const path = (count: number) => `/v1/products/${name}-${count}`
    const from = performance.now()
    const answers = await runOpenLoop(client, { perSecond: PER_SECOND, seconds, path, onAnswer, until: () => over })
    return { from, seen: answers.map(seenIn) }
  }
  await phase('WARM', 1)
  const healthy = await phase('HEALTHY', 5)
  await forecourt.upstreams({ hung: 'pricing' })
  const hung = await phase('HUNG', short ? 6 : 10)
  await forecourt.upstreams({ hung: null })
  const well = await phase('WELL', RECOVERY_SECONDS, ({ priced }) => priced)
  const figures = figuresOf(healthy.seen, hung, well)
  const note = `our own open loop at ${PER_SECOND}/s on distinct SKUs, timed from when each was due; the other systems take 20 ms`
  return { name: 'hung', tables: [toFiguresTable('ONE HUNG: pricing never answers', figures, note)], figures }
}

function seenIn(asked: TimedResponse): Seen {
  const { price, errors = [] } = asked.status === 200 ? (JSON.parse(asked.body) as Body) : {}
  return {
    ...asked,
    priced: Boolean(price),
    codes: errors.filter(({ field }) => field === 'price').map(({ code }) => code),
  }
}

interface Body {
  price?: object | null
  errors?: { field: string; code: string }[]
}

function figuresOf(healthy: Seen[], hung: { from: number; seen: Seen[] }, well: { from: number; seen: Seen[] }) {
  const endOf = ({ at, ms }: Seen) => at + ms
  const first = (seen: Seen[], is: (seen: Seen) => boolean) => Math.min(...seen.filter(is).map(endOf))
  const opened = first(hung.seen, ({ codes }) => codes.includes('circuit_open'))
  const after = hung.seen.filter(({ at }) => at >= opened)
  const p99 = (seen: Seen[]) =>
    round(
      quantile(
        seen.map(({ ms }) => ms),
        0.99,
      ),
    )
  const share = (seen: Seen[], is: (seen: Seen) => boolean) => round(seen.filter(is).length / seen.length, 4)
  return {
    breakerOpenedAfterMs: Math.round(opened - hung.from),
    callersThatWaited: hung.seen.filter(({ ms }) => ms > WAITED_MS).length,
    ofThemAfterTheOpening: after.filter(({ ms }) => ms > WAITED_MS).length,
    longestWaitMs: Math.round(Math.max(...hung.seen.map(({ ms }) => ms))),
    share200WhileHung: share(hung.seen, ({ status }) => status === 200),
    shareNamingPriceWhileHung: share(hung.seen, ({ codes }) => codes.length > 0),
    p99HealthyMs: p99(healthy),
    p99AfterTheOpeningMs: p99(after),
    p99Ratio: round(p99(after) / p99(healthy), 2),
    pricedAgainAfterMs: Math.round(first(well.seen, ({ priced }) => priced) - well.from),
    failedBeforeAndAfter: [...healthy, ...well.seen].filter(({ status }) => status !== 200).length,
  }
}
