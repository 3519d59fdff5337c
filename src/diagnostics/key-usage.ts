import type { Database } from '../storage/database.ts'
import { listDailyKeyUsage } from '../storage/diagnostics/daily-key-usage.ts'
import { getOrCreate } from './counts/tally.ts'

/** What a key was used for in some days. */
export interface KeyUsage {
  keyId: string
  requests: number
  /** Of them, the latest (`2026-11-21`, UTC). */
  lastDay: string
  /** 401 and 403. */
  refused: number
  /** 429. */
  limited: number
  lastRefusalCode: string | null
  /** Milliseconds since the epoch. */
  lastRefusedAt: number | null
}

const DAY_MS = 86_400_000

/** Of the last so many days, today among them (UTC), by key id. */
export async function readKeyUsage(
  db: Database,
  days: number,
  now: number = Date.now(),
): Promise<Map<string, KeyUsage>> {
  const from = new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10)
  const uses = new Map<string, KeyUsage>()
  // The latest day comes first: its refusal is the last one.
  for (const { key_id, requests, refused, limited, last_refusal_code, last_refused_at, day } of await listDailyKeyUsage(
    db,
    from,
  )) {
    const use = getOrCreate(uses, key_id, () => unused(key_id, day))
    use.requests += requests
    use.refused += refused
    use.limited += limited
    if (last_refused_at === null || use.lastRefusedAt !== null) continue
    use.lastRefusedAt = Date.parse(last_refused_at)
    use.lastRefusalCode = last_refusal_code
  }
  return uses
}

const unused = (keyId: string, lastDay: string): KeyUsage => ({
  ...{ keyId, lastDay, requests: 0, refused: 0, limited: 0, lastRefusalCode: null, lastRefusedAt: null },
})
