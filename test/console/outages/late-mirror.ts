import type { TenantMirror } from '../../../src/changes/mirror/tenant-mirror.ts'

const HOUR_MS = 3_600_000

/** A mirror that has not followed the store for a quarter of an hour, and whose feed of prices has failed for two hours. */
export const createLateMirror = (now: number) =>
  ({
    tenant: { merchant: 'acme', mode: 'live' },
    isServing: true,
    latestFailure: () => null,
    status: () => ({
      path: null,
      bytes: 1,
      rows: 1_200,
      sequence: 1,
      lagMs: 900_000,
      failure: { message: 'database is locked', since: now - 900_000 },
    }),
    partState: (name) =>
      name === 'prices'
        ? { isFilled: true, asOf: now - 2 * HOUR_MS, failure: 'timeout' }
        : { isFilled: true, asOf: now - 900_000, failure: null },
  }) as Partial<TenantMirror> as TenantMirror

/** A mirror of which the inventory could not be read yet. */
export const createUnfilledMirror = () =>
  ({
    tenant: { merchant: 'acme', mode: 'sandbox' },
    isServing: true,
    latestFailure: () => null,
    status: () => ({ path: null, bytes: 1, rows: 0, sequence: 1, lagMs: 0, failure: null }),
    partState: (name) => ({ isFilled: false, asOf: 0, failure: name === 'products' ? 'invalid' : null }),
  }) as Partial<TenantMirror> as TenantMirror

/** A mirror whose fitment could not be read for two hours, and whose product numbers could not be read yet. The last read of its prices failed. */
export const createMirrorWithoutFitment = (now: number) =>
  ({
    tenant: { merchant: 'acme', mode: 'live' },
    isServing: true,
    latestFailure: () => null,
    status: () => ({ path: null, bytes: 1, rows: 9, sequence: 1, lagMs: 0, failure: null }),
    partState(name) {
      if (name === 'vehicles') return { isFilled: true, asOf: now - 2 * HOUR_MS, failure: 'timeout' }
      if (name === 'references') return { isFilled: false, asOf: 0, failure: 'invalid' }
      return { isFilled: true, asOf: now, failure: name === 'prices' ? 'timeout' : null }
    },
  }) as Partial<TenantMirror> as TenantMirror

/** A current mirror whose reads of prices have failed for 100 seconds. */
export const createFailingMirror = (now: number) =>
  ({
    ...createRecoveredMirror(now),
    partState: (name) => ({ isFilled: true, asOf: now - 100_000, failure: name === 'prices' ? 'timeout' : null }),
    latestFailure: (name) => (name === 'prices' ? { failure: 'timeout', fromMs: now - 100_000, untilMs: null } : null),
  }) as Partial<TenantMirror> as TenantMirror

/** A current mirror whose reads of stock failed for 100 seconds, and succeed again since a minute. */
export const createRecoveredMirror = (now: number) =>
  ({
    tenant: { merchant: 'acme', mode: 'live' },
    isServing: true,
    status: () => ({ path: null, bytes: 1, rows: 9, sequence: 1, lagMs: 0, failure: null }),
    partState: () => ({ isFilled: true, asOf: now - 2_000, failure: null }),
    latestFailure: (name) =>
      name === 'stock' ? { failure: 'timeout', fromMs: now - 160_000, untilMs: now - 60_000 } : null,
  }) as Partial<TenantMirror> as TenantMirror

/** A current mirror of which products, stock and prices failed one after the other. The reads of prices failed in another way. */
export const createMirrorAfterOutage = (now: number) =>
  ({
    ...createRecoveredMirror(now),
    latestFailure(name) {
      if (name === 'products') return { failure: 'timeout', fromMs: now - 170_000, untilMs: now - 60_000 }
      if (name === 'stock') return { failure: 'timeout', fromMs: now - 160_000, untilMs: now - 61_000 }
      return name === 'prices' ? { failure: 'invalid', fromMs: now - 150_000, untilMs: now - 140_000 } : null
    },
  }) as Partial<TenantMirror> as TenantMirror
