import { createLoadClient, type TimedResponse } from '../load/load-client.ts'
import { runOpenLoop } from '../load/open-loop.ts'
import { quantile, round } from '../measure/statistics.ts'
import { toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const PER_SECOND = 100
const WAITED_MS = 300
const RECOVERY_SECONDS = 10

interface PageResponse extends TimedResponse {
  /** Codes of errors[] on the price. */
  codes: string[]
  hasPrice: boolean
}

/** ONE HUNG: healthy traffic, then pricing accepts calls and never responds, then it recovers. */
export async function measureHungUpstream({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startForecourtWithStubs({ delayMs: 20 })
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, 512)
  const phase = async (name: string, seconds: number, shouldStop?: (response: PageResponse) => boolean) => {
    let isStopped = false
    const onResponse = (response: TimedResponse) => {
      isStopped ||= shouldStop?.(parsePage(response)) ?? false
    }
    const path = (count: number) => `/v1/products/${name}-${count}`
    const from = performance.now()
    const responses = await runOpenLoop(client, {
      perSecond: PER_SECOND,
      seconds,
      path,
      onResponse,
      shouldStop: () => isStopped,
    })
    return { from, pages: responses.map(parsePage) }
  }
  await phase('WARM', 1)
  const healthy = await phase('HEALTHY', 5)
  await forecourt.upstreams({ hung: 'pricing' })
  const hung = await phase('HUNG', short ? 6 : 10)
  await forecourt.upstreams({ hung: null })
  const recovered = await phase('WELL', RECOVERY_SECONDS, ({ hasPrice }) => hasPrice)
  const figures = toFigures(healthy.pages, hung, recovered)
  const note = `an open loop at ${PER_SECOND}/s on distinct SKUs, each timed from when it was due; the other systems take 20 ms`
  return { name: 'hung', tables: [toFiguresTable('ONE HUNG: pricing never responds', figures, note)], figures }
}

function parsePage(response: TimedResponse): PageResponse {
  const { price, errors = [] } = response.status === 200 ? (JSON.parse(response.body) as Body) : {}
  return {
    ...response,
    hasPrice: Boolean(price),
    codes: errors.filter(({ field }) => field === 'price').map(({ code }) => code),
  }
}

interface Body {
  price?: object | null
  errors?: { field: string; code: string }[]
}

interface Phase {
  from: number
  pages: PageResponse[]
}

function toFigures(healthy: PageResponse[], hung: Phase, recovered: Phase) {
  const endOf = ({ at, ms }: PageResponse) => at + ms
  const first = (pages: PageResponse[], is: (page: PageResponse) => boolean) => Math.min(...pages.filter(is).map(endOf))
  const opened = first(hung.pages, ({ codes }) => codes.includes('circuit_open'))
  const afterOpening = hung.pages.filter(({ at }) => at >= opened)
  const p99 = (pages: PageResponse[]) =>
    round(
      quantile(
        pages.map(({ ms }) => ms),
        0.99,
      ),
    )
  const share = (pages: PageResponse[], is: (page: PageResponse) => boolean) =>
    round(pages.filter(is).length / pages.length, 4)
  return {
    breakerOpenedAfterMs: Math.round(opened - hung.from),
    callersThatWaited: hung.pages.filter(({ ms }) => ms > WAITED_MS).length,
    ofThemAfterTheOpening: afterOpening.filter(({ ms }) => ms > WAITED_MS).length,
    longestWaitMs: Math.round(Math.max(...hung.pages.map(({ ms }) => ms))),
    share200WhileHung: share(hung.pages, ({ status }) => status === 200),
    shareNamingPriceWhileHung: share(hung.pages, ({ codes }) => codes.length > 0),
    p99HealthyMs: p99(healthy),
    p99AfterTheOpeningMs: p99(afterOpening),
    p99Ratio: round(p99(afterOpening) / p99(healthy), 2),
    pricedAgainAfterMs: Math.round(first(recovered.pages, ({ hasPrice }) => hasPrice) - recovered.from),
    failedBeforeAndAfter: [...healthy, ...recovered.pages].filter(({ status }) => status !== 200).length,
  }
}
