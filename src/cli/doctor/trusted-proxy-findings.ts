import type { Config } from '../../config/config.ts'
import type { DoctorFinding } from '../../ports/doctor.ts'
import { findProxySighting } from '../../storage/untrusted-proxy-sightings.ts'
import { hasStore, withStore } from '../with-store.ts'

const SIGHTING_DAYS = 7
const DAY_MS = 86_400_000

/** Warns of requests through a proxy that is not trusted. This concerns all merchants. Returns none when the store cannot be opened. */
export async function listTrustedProxyFindings(config: Config, now: number): Promise<DoctorFinding[]> {
  if (config.trustedProxies !== undefined || !hasStore(config.store)) return []
  const since = new Date(now - SIGHTING_DAYS * DAY_MS).toISOString()
  const sighting = await withStore(config.store, (db) => findProxySighting(db, since)).catch(() => null)
  if (!sighting) return []
  const { header, address, seen_at } = sighting
  return [
    {
      check: 'trusted_proxies',
      severity: 'warning',
      finding: `requests arrive through a proxy (${header} from ${address}, last seen ${seen_at}), but trusted_proxies is not set: all of its clients share one limit, and a stranger can lock every shopper out`,
      remedy:
        'Set trusted_proxies to the addresses of the proxy (loopback for one on this machine), or to [] if there is none',
    },
  ]
}
