import { LRUCache } from 'lru-cache'
import { startPoller } from '../../lifecycle/poller.ts'
import type { Database } from '../../storage/database.ts'
import { isWellFormedApiKey } from '../../storage/keys/api-key-format.ts'
import { type ApiKey, findApiKey, isApiKeyUsable, recordKeysLastUsed } from '../../storage/keys/api-keys.ts'
import { isStoreUnavailable } from '../../storage/store-errors.ts'
import type { StoreMonitor } from '../../storage/store-monitor.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { type Tenant, tenantKey } from '../../tenant.ts'

/** An API key, prepared for the checks that every request needs. */
export interface AuthenticatedKey {
  record: ApiKey
  /** Everything that the key reads belongs to this tenant. */
  tenant: Tenant
  tenantKey: string
  scopes: ReadonlySet<string>
  origins: ReadonlySet<string>
}

export interface ApiKeyCache extends AsyncDisposable {
  /** Returns the key of an Authorization header that was looked up less than a second ago. */
  peek(authorization: string): AuthenticatedKey | undefined
  /** Returns `null` for a key that is malformed, unknown, revoked, expired, or of a merchant that is not configured. */
  find(authorization: string): Promise<AuthenticatedKey | null>
  /** Returns the revoked or expired key that `find` refused; `undefined`: the key is unknown. */
  ended(authorization: string): ApiKey | undefined
}

/** Also the time that another process may go on accepting a revoked key. */
const FRESH_MS = 1_000
/** While the store is unavailable, valid keys are cached for longer, so that the catalog is still served. During an outage nobody can revoke a key. */
const FRESH_WITHOUT_STORE_MS = 86_400_000
const LAST_USED_INTERVAL_MS = 10_000
interface CacheEntry {
  key: AuthenticatedKey | null
  /** The revoked or expired key, if that is why `key` is null. */
  ended?: ApiKey | undefined
  at: number
}

const BEARER_TOKEN = /^Bearer +([0-9A-Za-z_]{1,80}) *$/i

export interface ApiKeyCacheOptions {
  now?: () => number
  store?: Pick<StoreMonitor, 'outage'>
}

/** Caches each key for a second: a hash and a query would be most of the cost of a cached read. */
export function createApiKeyCache(
  db: Database,
  isConfigured: (merchant: string) => boolean,
  { now = Date.now, store = { outage: null } }: ApiKeyCacheOptions = {},
): ApiKeyCache {
  const cache = new LRUCache<string, CacheEntry>({ max: 10_000 })
  const lastUsedAt = new Map<string, string>()
  const poller = startPoller({ round: recordLastUsed, intervalMs: LAST_USED_INTERVAL_MS, onError: () => {} })

  async function recordLastUsed(): Promise<void> {
    const batch = new Map(lastUsedAt)
    lastUsedAt.clear()
    if (batch.size === 0) return
    await recordKeysLastUsed(db, batch).catch(() => {
      // Another process holds the write lock; the next batch includes these keys.
      for (const [keyId, at] of batch) if (!lastUsedAt.has(keyId)) lastUsedAt.set(keyId, at)
    })
  }

  async function lookUp(authorization: string): Promise<Omit<CacheEntry, 'at'>> {
    const secret = BEARER_TOKEN.exec(authorization)?.[1]
    if (!secret || !isWellFormedApiKey(secret)) return { key: null }
    const record = await findApiKey(db, secret)
    const at = new Date(now()).toISOString()
    if (!record || !isConfigured(record.tenant_id)) return { key: null }
    if (!isApiKeyUsable(record, at)) return { key: null, ended: record }
    lastUsedAt.set(record.key_id, at)
    return { key: toAuthenticatedKey(record) }
  }

  /** An entry from the future is not fresh: after the clock was set back, it would keep a revoked key valid. */
  function isYounger({ at }: CacheEntry, ageMs: number): boolean {
    const age = now() - at
    return age >= 0 && age < ageMs
  }

  const isUsableWithoutStore = (entry: CacheEntry) =>
    entry.key !== null &&
    isYounger(entry, FRESH_WITHOUT_STORE_MS) &&
    isApiKeyUsable(entry.key.record, new Date(now()).toISOString())

  return {
    peek(authorization) {
      const entry = cache.get(authorization)
      return entry?.key && isYounger(entry, FRESH_MS) ? entry.key : undefined
    },
    async find(authorization) {
      const entry = cache.get(authorization)
      if (entry && isYounger(entry, FRESH_MS)) return entry.key
      const usable = entry && isUsableWithoutStore(entry) ? entry.key : null
      // Otherwise a database that does not respond would delay each request by its timeout.
      if (usable && store.outage?.isUnreachable) return usable
      const found = await lookUp(authorization).catch((error: unknown) => {
        if (usable && isStoreUnavailable(error)) return undefined
        throw error
      })
      if (found === undefined) return usable
      if (authorization.length <= 128) cache.set(authorization, { ...found, at: now() })
      return found.key
    },
    ended: (authorization) => cache.peek(authorization)?.ended,
    async [Symbol.asyncDispose]() {
      await poller[Symbol.asyncDispose]()
      await recordLastUsed()
    },
  }
}

function toAuthenticatedKey(record: ApiKey): AuthenticatedKey {
  const tenant = tenantOf(record)
  return {
    record,
    tenant,
    tenantKey: tenantKey(tenant),
    scopes: new Set(record.scopes),
    origins: new Set(record.allowed_origins),
  }
}
