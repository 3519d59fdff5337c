import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { type ApiKeyKind, generateApiKey, randomBase62, sha256Hex, toKeyHint } from './api-key-format.ts'

export interface ApiKey {
  key_id: string
  hint: string
  tenant_id: string
  kind: ApiKeyKind
  mode: Mode
  scopes: string[]
  allowed_origins: string[]
  rate_limit_per_minute: number
  label: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

export interface NewApiKey {
  merchant: string
  kind: ApiKeyKind
  mode: Mode
  scopes?: string[] | undefined
  origins?: string[] | undefined
  rate?: number | undefined
  label?: string | undefined
  expiresAt?: string | undefined
}

const publishableScopes = ['storefront:catalog', 'storefront:auth']
export const defaultScopes: Record<ApiKeyKind, readonly string[]> = {
  publishable: publishableScopes,
  secret: [
    ...publishableScopes,
    'storefront:customer',
    'storefront:cart',
    'storefront:checkout',
    'storefront:orders',
    'storefront:invoices',
    'storefront:webhooks',
  ],
}
export const defaultRatesPerMinute: Record<ApiKeyKind, number> = { publishable: 600, secret: 1_200 }

/** The key itself is in the answer and nowhere else: only its digest is stored. */
export async function issueApiKey(
  db: Database,
  request: NewApiKey,
  now = new Date(),
): Promise<{ key: string; record: ApiKey }> {
  const key = generateApiKey(request.kind, request.mode)
  const record: ApiKey = {
    key_id: `key_${randomBase62(16)}`,
    hint: toKeyHint(key),
    tenant_id: request.merchant,
    kind: request.kind,
    mode: request.mode,
    scopes: request.scopes ?? [...defaultScopes[request.kind]],
    allowed_origins: request.origins ?? [],
    rate_limit_per_minute: request.rate ?? defaultRatesPerMinute[request.kind],
    label: request.label ?? null,
    created_at: now.toISOString(),
    expires_at: request.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
  }
  await db
    .insertInto('api_keys')
    .values({
      ...record,
      digest: sha256Hex(key),
      scopes: JSON.stringify(record.scopes),
      allowed_origins: JSON.stringify(record.allowed_origins),
    })
    .execute()
  return { key, record }
}

export async function findApiKey(db: Database, key: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('digest', '=', sha256Hex(key)).executeTakeFirst()
  return row ? recordOf(row) : null
}

export async function listApiKeys(db: Database, merchant?: string): Promise<ApiKey[]> {
  const all = db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('key_id')
  return (await (merchant ? all.where('tenant_id', '=', merchant) : all).execute()).map(recordOf)
}

/** Ends a key at that instant, or at an earlier one that was already set. `null`: there is no such key. */
export async function revokeApiKey(db: Database, keyId: string, at = new Date()): Promise<ApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst()
  if (!row) return null
  const revoked = row.revoked_at !== null && row.revoked_at <= at.toISOString() ? row.revoked_at : at.toISOString()
  await db.updateTable('api_keys').set({ revoked_at: revoked }).where('key_id', '=', keyId).execute()
  return recordOf({ ...row, revoked_at: revoked })
}

/** A new key with the same rights; the old one goes on until the overlap is over. `null`: there is no such key, or it has ended. */
export async function rotateApiKey(
  db: Database,
  keyId: string,
  overlapMs: number,
  now = new Date(),
): Promise<{ key: string; record: ApiKey; previous: ApiKey } | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst()
  if (!row) return null
  const old = recordOf(row)
  if (!isApiKeyUsable(old, now.toISOString())) return null
  const request: NewApiKey = {
    merchant: old.tenant_id,
    kind: old.kind,
    mode: old.mode,
    scopes: old.scopes,
    origins: old.allowed_origins,
    rate: old.rate_limit_per_minute,
    label: old.label ?? undefined,
    expiresAt: old.expires_at ?? undefined,
  }
  const issued = await issueApiKey(db, request, now)
  const previous = await revokeApiKey(db, keyId, new Date(now.getTime() + overlapMs))
  return { ...issued, previous: previous! }
}

/** Notes when keys were last used, all or none. */
export async function recordKeysLastUsed(db: Database, usedAt: ReadonlyMap<string, string>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const [keyId, at] of usedAt) {
      await transaction.updateTable('api_keys').set({ last_used_at: at }).where('key_id', '=', keyId).execute()
    }
  })
}

/** Whether a key opens anything at that instant. */
export function isApiKeyUsable(key: ApiKey, at: string): boolean {
  return (key.revoked_at === null || key.revoked_at > at) && (key.expires_at === null || key.expires_at > at)
}

function recordOf({ digest: _, ...row }: Selectable<Tables['api_keys']>): ApiKey {
  return { ...row, scopes: JSON.parse(row.scopes), allowed_origins: JSON.parse(row.allowed_origins) }
}
