import type { Database } from '../../storage/database.ts'
import { listDailyKeyUsage } from '../../storage/diagnostics/daily-key-usage.ts'
import { getOrCreate } from '../get-or-create.ts'

/** The use of an API key over some days. */
export interface KeyUsage {
  keyId: string
  requests: number
  /** The latest day with requests (`2026-11-21`, UTC). */
  lastDay: string
  /** Requests refused with 401 or 403. */
  refused: number
  /** Requests refused with 429. */
  limited: number
  lastRefusalCode: string | null
  /** Milliseconds since the epoch. */
  lastRefusedAt: number | null
}

const DAY_MS = 86_400_000

/** Reads the use of all keys in the last `days` days including today (UTC), by key id. */
export async function readKeyUsage(
  db: Database,
  days: number,
  now: number = Date.now(),
): Promise<Map<string, KeyUsage>> {
  const from = new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const usageByKey = new Map<string, KeyUsage>()
  // The latest day comes first, and has the last refusal.
  for (const { key_id, requests, refused, limited, last_refusal_code, last_refused_at, day } of await listDailyKeyUsage(
    db,
    from,
  )) {
    const usage = getOrCreate(usageByKey, key_id, () => createUsage(key_id, day))
    usage.requests += requests
    usage.refused += refused
    usage.limited += limited
    if (last_refused_at === null || usage.lastRefusedAt !== null) continue
    usage.lastRefusedAt = Date.parse(last_refused_at)
    usage.lastRefusalCode = last_refusal_code
  }
  return usageByKey
}

const createUsage = (keyId: string, lastDay: string): KeyUsage => ({
  keyId,
  lastDay,
  requests: 0,
  refused: 0,
  limited: 0,
  lastRefusalCode: null,
  lastRefusedAt: null,
})
