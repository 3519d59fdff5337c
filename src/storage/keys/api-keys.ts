import { type Selectable, sql } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import { sha256Hex } from '../../security/sha256.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import { type TenantColumns, tenantOf } from '../tenant-columns.ts'
import { defaultRatesPerMinute, defaultScopes } from './api-key-defaults.ts'
import { type ApiKeyKind, generateApiKey, toKeyHint } from './api-key-format.ts'

/** The form of a `key_id`. Check it before a look-up: PostgreSQL fails on text that it cannot store. */
export const KEY_ID_PATTERN = /^key_[0-9A-Za-z]{16}$/

export interface ApiKey extends TenantColumns {
  key_id: string
  hint: string
  kind: ApiKeyKind
  scopes: string[]
  allowed_origins: string[]
  rate_limit_per_minute: number
  /** Requests per minute of one client with a publishable key; `null`: a secret key has no such limit. */
  rate_limit_per_client: number | null
  label: string | null
  created_at: string
  expires_at: string | null
  /** For a rotated key, the end of its overlap. */
  revoked_at: string | null
  /** Revoked permanently. The clocks of two processes may differ, so `revoked_at` alone is not enough. */
  revoked: boolean
  last_used_at: string | null
}

export interface NewApiKey extends Tenant {
  kind: ApiKeyKind
  scopes?: string[] | undefined
  origins?: string[] | undefined
  rate?: number | undefined
  /** For publishable keys; a tenth of `rate` by default. */
  ratePerClient?: number | undefined
  label?: string | undefined
  expiresAt?: string | undefined
}

/** Creates a key and returns it. It cannot be read again: only its digest is stored. */
export async function issueApiKey(
  db: Database,
  request: NewApiKey,
  now = new Date(),
): Promise<{ key: string; record: ApiKey }> {
  const key = generateApiKey(request.kind, request.mode)
  const rate = request.rate ?? defaultRatesPerMinute[request.kind]
  const record: ApiKey = {
    key_id: `key_${randomBase62(16)}`,
    hint: toKeyHint(key),
    tenant_id: request.merchant,
    kind: request.kind,
    mode: request.mode,
    scopes: request.scopes ?? [...defaultScopes[request.kind]],
    allowed_origins: request.origins ?? [],
    rate_limit_per_minute: rate,
    rate_limit_per_client: toRatePerClient(request.kind, rate, request.ratePerClient ?? null),
    label: request.label ?? null,
    created_at: now.toISOString(),
    expires_at: request.expiresAt ?? null,
    revoked_at: null,
    revoked: false,
    last_used_at: null,
  }
  const { revoked: _, ...columns } = record
  await db
    .insertInto('api_keys')
    .values({
      ...columns,
      digest: sha256Hex(key),
      scopes: JSON.stringify(record.scopes),
      allowed_origins: JSON.stringify(record.allowed_origins),
    })
    .execute()
  return { key, record }
}

export async function findApiKey(db: Database, key: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('digest', '=', sha256Hex(key)).executeTakeFirst()
  return row ? toApiKey(row) : null
}

export async function listApiKeys(db: Database, merchant?: string): Promise<ApiKey[]> {
  const keys = db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('key_id')
  return (await (merchant ? keys.where('tenant_id', '=', merchant) : keys).execute()).map(toApiKey)
}

/** Returns the tenants that have a valid key at an instant. */
export async function listTenantsWithKeys(db: Database, at: string): Promise<Tenant[]> {
  const usable = db
    .selectFrom('api_keys')
    .select(['tenant_id', 'mode'])
    .distinct()
    .where('revoked', '=', 0)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', at)]))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
  return (await usable.execute()).map(tenantOf)
}

/** Returns those of these keys that exist, in any order. */
export async function listApiKeysById(db: Database, keyIds: readonly string[]): Promise<ApiKey[]> {
  return (await db.selectFrom('api_keys').selectAll().where('key_id', 'in', keyIds).execute()).map(toApiKey)
}

/** Revokes a key at once and permanently. A second revocation changes nothing. Returns `null` for an unknown key. */
export const revokeApiKey = (db: Database, keyId: string, at = new Date()): Promise<ApiKey | null> =>
  endApiKey(db, keyId, { revoked_at: at.toISOString(), revoked: 1 })

/** Sets when a key ends, unless it ends earlier. */
async function endApiKey(
  db: Database,
  keyId: string,
  end: { revoked_at: string; revoked: 0 | 1 },
): Promise<ApiKey | null> {
  const row = await db
    .updateTable('api_keys')
    .set((eb) => ({
      revoked_at: sql<string>`case when revoked_at <= ${end.revoked_at} then revoked_at else ${end.revoked_at} end`,
      revoked: eb.case().when('revoked', '=', 1).then(1).else(end.revoked).end(),
    }))
    .where('key_id', '=', keyId)
    .returningAll()
    .executeTakeFirst()
  return row ? toApiKey(row) : null
}

/** Creates a key with the same rights. The old one stays valid for `overlapMs`. Returns `null` when it is unknown, revoked or expired. */
export async function rotateApiKey(
  db: Database,
  keyId: string,
  overlapMs: number,
  now = new Date(),
): Promise<{ key: string; record: ApiKey; previous: ApiKey } | null> {
  const row = await db.selectFrom('api_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst()
  if (!row) return null
  const current = toApiKey(row)
  if (!isApiKeyUsable(current, now.toISOString())) return null
  const request: NewApiKey = {
    merchant: current.tenant_id,
    kind: current.kind,
    mode: current.mode,
    scopes: current.scopes,
    origins: current.allowed_origins,
    rate: current.rate_limit_per_minute,
    ratePerClient: current.rate_limit_per_client ?? undefined,
    label: current.label ?? undefined,
    expiresAt: current.expires_at ?? undefined,
  }
  const issued = await issueApiKey(db, request, now)
  const revoked_at = new Date(now.getTime() + overlapMs).toISOString()
  const previous = await endApiKey(db, keyId, { revoked_at, revoked: overlapMs === 0 ? 1 : 0 })
  return { ...issued, previous: previous! }
}

/** Stores when keys were last used, all or none. */
export async function recordKeysLastUsed(db: Database, usedAt: ReadonlyMap<string, string>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const [keyId, at] of usedAt) {
      await transaction.updateTable('api_keys').set({ last_used_at: at }).where('key_id', '=', keyId).execute()
    }
  })
}

/** Returns whether a key is valid at an instant: neither revoked, nor past its overlap, nor expired. */
export function isApiKeyUsable(key: ApiKey, at: string): boolean {
  return (
    !key.revoked && (key.revoked_at === null || key.revoked_at > at) && (key.expires_at === null || key.expires_at > at)
  )
}

function toApiKey({ digest: _, ...row }: Selectable<Tables['api_keys']>): ApiKey {
  return {
    ...row,
    revoked: row.revoked === 1,
    scopes: JSON.parse(row.scopes),
    allowed_origins: JSON.parse(row.allowed_origins),
    rate_limit_per_client: toRatePerClient(row.kind, row.rate_limit_per_minute, row.rate_limit_per_client),
  }
}

/** Keys of earlier releases have no stored limit per client. */
const toRatePerClient = (kind: ApiKeyKind, rate: number, stored: number | null): number | null =>
  kind === 'publishable' ? (stored ?? Math.ceil(rate / 10)) : null
