import type { Config } from './config.ts'
import type { ConfigMistake } from './config-error.ts'
import { findShapeMistakes } from './find-shape-mistakes.ts'
import { MirrorFile } from './merchant-schema.ts'

const REMEDY = 'Give off, or max_age_seconds'

/** Checks the mirror of a merchant: `off`, or its settings. */
export function findMirrorMistakes(mirror: unknown, path: string): ConfigMistake[] {
  if (mirror === undefined || mirror === 'off') return []
  if (mirror === null) return [{ path, mistake: 'is empty', remedy: REMEDY }]
  if (typeof mirror === 'object' && !Array.isArray(mirror)) return findShapeMistakes(MirrorFile, mirror, path)
  return [{ path, mistake: 'is neither off nor a group of settings', remedy: REMEDY }]
}

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
