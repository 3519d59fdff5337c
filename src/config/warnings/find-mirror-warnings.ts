import type { Config } from '../config.ts'
import type { ConfigMistake } from '../config-error.ts'

/** Finds mirrors that are always too old, because the change feed confirms them once in each interval. */
export function findMirrorWarnings({ feedIntervalMs, merchants }: Config): ConfigMistake[] {
  if (feedIntervalMs === null) return []
  return merchants.flatMap(({ merchant, mirror }) => {
    if (!mirror || mirror.maxAgeMs > feedIntervalMs) return []
    const interval = `feed.interval_seconds (${feedIntervalMs / 1_000})`
    return [
      {
        path: `merchants.${merchant}.mirror.max_age_seconds`,
        mistake: `is not longer than ${interval}, so every read is marked as stale`,
        remedy: 'Raise it, or shorten feed.interval_seconds',
      },
    ]
  })
}
