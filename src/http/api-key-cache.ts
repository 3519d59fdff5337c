import { LRUCache } from 'lru-cache'
import type { Database } from '../storage/database.ts'
import { isWellFormedApiKey } from '../storage/keys/api-key-format.ts'
import { type ApiKey, findApiKey, isApiKeyUsable, recordKeysLastUsed } from '../storage/keys/api-keys.ts'
import { isStoreUnavailable } from '../storage/transact.ts'

/** A key as requests meet it. `owner` is the merchant and mode that all it reads belongs to. */
export interface AuthenticatedKey {
  record: ApiKey
  owner: string
  scopes: ReadonlySet<string>
  origins: ReadonlySet<string>
}

export interface ApiKeyCache extends AsyncDisposable {
  /** The key of an Authorization header that was looked up less than a second ago. */
  peek(authorization: string): AuthenticatedKey | undefined
  /** `null`: malformed, unknown, revoked, expired, or of a merchant that is not served here, without a difference. */
  find(authorization: string): Promise<AuthenticatedKey | null>
}

/** A key that was revoked by another process is refused within this time. */
const BELIEVED_MS = 1_000
/** While the store cannot be asked, a key that was good is believed for longer: what is cached goes on being served. */
const BELIEVED_WITHOUT_STORE_MS = 300_000
const USE_NOTED_EVERY_MS = 10_000
const BEARER = /^Bearer +([0-9A-Za-z_]{1,80}) *$/i

/** Looks keys up by their digest, and remembers each for a second: hashing and a query are most of what a cached read costs. */
export function createApiKeyCache(
  db: Database,
  serves: (merchant: string) => boolean,
  now: () => number = Date.now,
): ApiKeyCache {
  const known = new LRUCache<string, { key: AuthenticatedKey | null; at: number }>({ max: 10_000 })
  const used = new Map<string, string>()
  const noting = setInterval(note, USE_NOTED_EVERY_MS).unref()

  async function note(): Promise<void> {
    const batch = new Map(used)
    used.clear()
    if (batch.size === 0) return
    await recordKeysLastUsed(db, batch).catch(() => {
      // Another process is writing: with the next batch, then.
      for (const [keyId, at] of batch) if (!used.has(keyId)) used.set(keyId, at)
    })
  }

  async function look(authorization: string): Promise<AuthenticatedKey | null> {
    const secret = BEARER.exec(authorization)?.[1]
    if (!secret || !isWellFormedApiKey(secret)) return null
    const record = await findApiKey(db, secret)
    const at = new Date(now()).toISOString()
    if (!record || !isApiKeyUsable(record, at) || !serves(record.tenant_id)) return null
    used.set(record.key_id, at)
    return {
      record,
      owner: `${record.tenant_id}/${record.mode}`,
      scopes: new Set(record.scopes),
      origins: new Set(record.allowed_origins),
    }
  }

  return {
    peek(authorization) {
      const entry = known.get(authorization)
      return entry?.key && now() - entry.at < BELIEVED_MS ? entry.key : undefined
    },
    async find(authorization) {
      const entry = known.get(authorization)
      if (entry && now() - entry.at < BELIEVED_MS) return entry.key
      const key = await look(authorization).catch((error: unknown) => {
        const lately = entry?.key && now() - entry.at < BELIEVED_WITHOUT_STORE_MS
        if (lately && isStoreUnavailable(error)) return undefined
        throw error
      })
      if (key === undefined) return entry!.key
      if (authorization.length <= 128) known.set(authorization, { key, at: now() })
      return key
    },
    async [Symbol.asyncDispose]() {
      clearInterval(noting)
      await note()
    },
  }
}
