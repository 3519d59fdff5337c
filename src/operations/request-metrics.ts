import type { Registry } from 'prom-client'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import type { Mode } from '../tenant.ts'
import { classifyOutcome, type OutcomeClass, outcomeClasses } from './classify-outcome.ts'
import { createDurationHistogram, type DurationSeries } from './duration-histogram.ts'
import { type CounterSeries, createLabelledCounter, type LabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

/** From a cached read to the deadline of a checkout. */
const BOUNDS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 200, 350, 500, 700, 1_000, 2_000, 5_000]

interface RouteSeries {
  durations: DurationSeries
  byCache: Map<string, Map<number, CounterSeries>>
}

type OutcomeSeries = Readonly<Record<Mode, Readonly<Record<OutcomeClass, CounterSeries>>>>

/** Registers the metrics of requests by route and by merchant. Every cached read pays for them, so series are looked up once. */
export function createRequestMetrics(
  registry: Registry,
  merchantOf: MerchantLabel,
): (request: FinishedRequest) => void {
  const requests = createLabelledCounter(registry, {
    name: 'forecourt_requests_total',
    help: 'Requests, by route, status and cache outcome',
    labels: ['route', 'status', 'cache'],
  })
  const answers = createLabelledCounter(registry, {
    name: 'forecourt_answers_total',
    help: 'Requests, by merchant, mode and outcome: complete, degraded (a section was missing or stale), failed (5xx), refused (4xx), simulated (the caller requested a failure), left (the caller disconnected)',
    labels: ['merchant', 'mode', 'outcome'],
  })
  const durations = createDurationHistogram(registry, {
    name: 'forecourt_request_seconds',
    help: 'Response time of requests in seconds, by route',
    labels: ['route'],
    boundsMs: BOUNDS_MS,
  })
  const routes = new Map<string, RouteSeries>()
  const outcomesByMerchant = new Map<string, OutcomeSeries>()

  function createRouteSeries(route: string): RouteSeries {
    const series = { durations: durations(route), byCache: new Map() }
    routes.set(route, series)
    return series
  }

  function createStatusSeries({ byCache }: RouteSeries, { route, status, cache }: FinishedRequest): CounterSeries {
    const series = requests.series(route, String(status), cache)
    if (!byCache.has(cache)) byCache.set(cache, new Map())
    byCache.get(cache)!.set(status, series)
    return series
  }

  /** Stored by label, so that unknown merchants share one entry. */
  function outcomesOf(tenant: string | null): OutcomeSeries {
    const merchant = merchantOf(tenant)
    const outcomes = outcomesByMerchant.get(merchant) ?? {
      live: createOutcomeSeries(answers, merchant, 'live'),
      sandbox: createOutcomeSeries(answers, merchant, 'sandbox'),
    }
    outcomesByMerchant.set(merchant, outcomes)
    return outcomes
  }

  return (request) => {
    const { route, status, cache, keyId } = request
    // A picture has a merchant but no key, and says nothing of the storefront's own calls.
    const tenant = keyId === null ? null : request.tenant
    const routeSeries = routes.get(route) ?? createRouteSeries(route)
    routeSeries.durations.record(request.ms)
    const series = routeSeries.byCache.get(cache)?.get(status) ?? createStatusSeries(routeSeries, request)
    series.count += 1
    const outcomes = (tenant === null ? undefined : outcomesByMerchant.get(tenant)) ?? outcomesOf(tenant)
    outcomes[request.mode][classifyOutcome(request)].count += 1
  }
}

function createOutcomeSeries(answers: LabelledCounter, merchant: string, mode: Mode) {
  const entries = outcomeClasses.map((outcome) => [outcome, answers.series(merchant, mode, outcome)])
  return Object.fromEntries(entries) as Record<OutcomeClass, CounterSeries>
}
