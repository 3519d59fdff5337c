import type { AttemptStatistics } from '../../../webhooks/attempt-statistics.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import { formatNumber, formatPercent } from '../../text/format-numbers.ts'

export interface AttemptStatisticsView {
  eventType: string
  attempts: string
  failed: string
  isFailing: boolean
  p50: string
  p99: string
}

const NO_VALUE = '–'

export function toAttemptStatisticsView(statistics: AttemptStatistics): AttemptStatisticsView {
  const { eventType, attempts, failed, p50Ms, p99Ms } = statistics
  const formatLatency = (ms: number | null) => (ms === null ? NO_VALUE : formatElapsedMs(ms))
  return {
    eventType: eventType || 'All events',
    attempts: formatNumber(attempts),
    failed: attempts === 0 ? NO_VALUE : formatPercent(failed / attempts),
    isFailing: failed > 0,
    p50: formatLatency(p50Ms),
    p99: formatLatency(p99Ms),
  }
}
