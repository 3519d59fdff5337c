import type { Registry } from 'prom-client'
import type { Mode } from '../config/config.ts'
import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import { classifyOutcome, type OutcomeClass, outcomeClasses } from './classify-outcome.ts'
import { createDurationHistogram, type DurationSeries } from './duration-histogram.ts'
import { type CounterSeries, createLabelledCounter, type LabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

/** From a read out of memory to a checkout's deadline. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 200, 350, 500, 700, 1_000, 2_000, 5_000]

interface RouteSeries {
  durations: DurationSeries
  byCache: Map<string, Map<number, CounterSeries>>
}

type Answers = Readonly<Record<Mode, Readonly<Record<OutcomeClass, CounterSeries>>>>

/** Requests by route, and answers by merchant: all that a read from the cache pays for, hence series that are kept at hand. */
export function createRequestMetrics(registry: Registry, merchantOf: MerchantLabel): (outcome: RequestOutcome) => void {
  const requests = createLabelledCounter(registry, {
    name: 'forecourt_requests_total',
    help: 'Requests answered, by route, status and cache outcome',
    labels: ['route', 'status', 'cache'],
  })
  const answers = createLabelledCounter(registry, {
    name: 'forecourt_answers_total',
    help: 'Requests answered, by merchant of the key and mode: complete, degraded (a section was missing or old), failed (5xx), refused (4xx), simulated, left',
    labels: ['merchant', 'mode', 'outcome'],
  })
  const durations = createDurationHistogram(registry, {
    name: 'forecourt_request_seconds',
    help: 'Time from a request to its answer, by route',
    labels: ['route'],
    boundsMs: BOUNDS_MS,
  })
  const routes = new Map<string, RouteSeries>()
  const owners = new Map<string, Answers>()

  function openRoute(route: string): RouteSeries {
    const opened = { durations: durations(route), byCache: new Map() }
    routes.set(route, opened)
    return opened
  }

  function openStatus({ byCache }: RouteSeries, { route, status, cache }: RequestOutcome): CounterSeries {
    const series = requests.series(route, String(status), cache)
    if (!byCache.has(cache)) byCache.set(cache, new Map())
    byCache.get(cache)!.set(status, series)
    return series
  }

  /** Kept under its label: a tenant that is unknown opens nothing new. */
  function ownerOf(tenant: string | null): Answers {
    const merchant = merchantOf(tenant)
    const known = owners.get(merchant) ?? {
      live: seriesOf(answers, merchant, 'live'),
      sandbox: seriesOf(answers, merchant, 'sandbox'),
    }
    owners.set(merchant, known)
    return known
  }

  return (outcome) => {
    const { route, status, cache, keyId } = outcome
    // A picture has a merchant and no key: how a shop's own calls go is not to be told from those.
    const tenant = keyId === null ? null : outcome.tenant
    const of = routes.get(route) ?? openRoute(route)
    of.durations.record(outcome.ms)
    const series = of.byCache.get(cache)?.get(status) ?? openStatus(of, outcome)
    series.count += 1
    const owner = (tenant === null ? undefined : owners.get(tenant)) ?? ownerOf(tenant)
    owner[outcome.mode][classifyOutcome(outcome)].count += 1
  }
}

function seriesOf(answers: LabelledCounter, merchant: string, mode: Mode) {
  const each = outcomeClasses.map((judgement) => [judgement, answers.series(merchant, mode, judgement)])
  return Object.fromEntries(each) as Record<OutcomeClass, CounterSeries>
}
