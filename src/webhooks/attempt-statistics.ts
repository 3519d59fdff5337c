import type { DeliveryAttempt } from '../contract/events/webhook-delivery.ts'
import type { Database } from '../storage/database.ts'
import { listAttemptLogs } from '../storage/webhooks/deliveries.ts'

/** The attempts of an endpoint's newest deliveries. */
export interface AttemptStatistics {
  /** Empty: all kinds of events together. */
  eventType: string
  attempts: number
  failed: number
  /** Durations of the attempts that got a response, in milliseconds; `null` without any. */
  p50Ms: number | null
  p99Ms: number | null
}

interface Tally {
  attempts: number
  failed: number
  durations: number[]
}

/** Reads the attempts of up to `limit` deliveries: all together first, then by kind of event, the one with the most failures first. */
export async function readAttemptStatistics(
  db: Database,
  subscriptionId: string,
  limit: number,
): Promise<AttemptStatistics[]> {
  const all = createTally()
  const byType = new Map<string, Tally>()
  for (const { event_type, log } of await listAttemptLogs(db, subscriptionId, limit)) {
    const own = byType.get(event_type) ?? createTally()
    byType.set(event_type, own)
    for (const attempt of JSON.parse(log) as DeliveryAttempt[]) for (const tally of [all, own]) count(tally, attempt)
  }
  const kinds = [...byType].map(([eventType, tally]) => toStatistics(eventType, tally))
  return [toStatistics('', all), ...kinds.toSorted((one, other) => other.failed - one.failed)]
}

const createTally = (): Tally => ({ attempts: 0, failed: 0, durations: [] })

function count(tally: Tally, { response_status, error, duration_ms }: DeliveryAttempt): void {
  tally.attempts += 1
  if (error !== null || response_status === null || response_status < 200 || response_status > 299) tally.failed += 1
  if (response_status !== null) tally.durations.push(duration_ms)
}

function toStatistics(eventType: string, { attempts, failed, durations }: Tally): AttemptStatistics {
  const sorted = durations.toSorted((one, other) => one - other)
  const percentile = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
  return { eventType, attempts, failed, p50Ms: percentile(0.5), p99Ms: percentile(0.99) }
}
