import ms from 'ms'
import type { Mode } from '../config.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import type { KeyKind } from '../storage/key-format.ts'
import { type ApiKey, issueKey, listKeys, revokeKey, rotateKey, scopesOf } from '../storage/keys.ts'
import { configured, mustHave } from './configured-merchant.ts'
import { print, printJson } from './print.ts'
import { UsageError } from './usage-error.ts'

export interface IssueOptions {
  merchant: string
  kind: string
  mode: string
  rate?: string
  origins?: string
  scopes?: string
  label?: string
  expires?: string
  json?: boolean
  config?: string
}

export async function issue(options: IssueOptions): Promise<void> {
  const kind = oneOf('--kind', options.kind, ['publishable', 'secret'] as const)
  const mode = oneOf('--mode', options.mode, ['sandbox', 'live'] as const)
  const at = configured(options.config)
  mustHave(at, options.merchant)
  const of = at.of(options.merchant)
  await withStore(at.store, async (db) => {
    const { key, record } = await issueKey(db, {
      merchant: options.merchant,
      kind,
      mode,
      rate: rateOf(options.rate),
      origins: originsOf(options.origins, mode),
      scopes: scopesFrom(options.scopes, kind),
      label: options.label,
      expiresAt: options.expires === undefined ? undefined : instantOf('--expires', options.expires),
    })
    if (options.json) return printJson({ key, ...record })
    print(`${key}\n\n${describe(record)}\nKeep the key now: it is not shown again.`)
    if (kind === 'publishable' && record.allowed_origins.length === 0)
      print('No browser may use it: name the origins of your shop with --origins https://shop.example')
    if (mode === 'live' && of && Object.keys(of.live).length === 0)
      print(
        `${options.merchant} has no live systems in the configuration: all that this key reads is empty until it has.`,
      )
  })
}

export async function list(options: { merchant?: string; json?: boolean; config?: string }): Promise<void> {
  const at = configured(options.config)
  if (options.merchant !== undefined) mustHave(at, options.merchant)
  await withStore(at.store, async (db) => {
    const keys = await listKeys(db, options.merchant)
    if (options.json) return printJson(keys)
    print(
      keys.length === 0
        ? 'No keys yet. Make one with: npx forecourt keys issue --help'
        : keys.map(describe).join('\n\n'),
    )
  })
}

export async function revoke(keyId: string, options: { json?: boolean; config?: string }): Promise<void> {
  await withStore(configured(options.config).store, async (db) => {
    const record = await revokeKey(db, keyId)
    if (!record) throw new UsageError(`There is no key ${keyId}. See: npx forecourt keys list`)
    if (options.json) return printJson(record)
    print(`${keyId} is revoked. Running servers refuse it within a second.`)
  })
}

export async function rotate(
  keyId: string,
  options: { overlap: string; json?: boolean; config?: string },
): Promise<void> {
  const overlapMs = durationOf('--overlap', options.overlap)
  await withStore(configured(options.config).store, async (db) => {
    const rotated = await rotateKey(db, keyId, overlapMs)
    if (!rotated) throw new UsageError(`There is no key ${keyId}, or it has ended. See: npx forecourt keys list`)
    const { key, record, previous } = rotated
    if (options.json) return printJson({ key, ...record, previous })
    print(
      `${key}\n\n${describe(record)}\nThe old key ${previous.key_id} goes on until ${previous.revoked_at}. Keep the new one now: it is not shown again.`,
    )
  })
}

async function withStore(store: string, work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openDatabase(store)
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((entry) => entry === value)
  if (found === undefined) throw new UsageError(`${option} is one of ${allowed.join(', ')}, not "${value}"`)
  return found
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = Number(text)
  if (Number.isInteger(rate) && rate >= 1 && rate <= 10_000_000) return rate
  throw new UsageError(`--rate is a number of requests a minute from 1 to 10000000, not "${text}"`)
}

function originsOf(text: string | undefined, mode: Mode): string[] | undefined {
  const origins = text
    ?.split(',')
    .map((origin) => origin.trim().replace(/\/$/, ''))
    .filter(Boolean)
  for (const origin of origins ?? []) {
    if (origin === '*' && mode === 'sandbox') continue
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    throw new UsageError(
      `--origins takes origins such as https://shop.example, not "${origin}"${origin === '*' ? ': * is for sandbox keys' : ''}`,
    )
  }
  return origins
}

function scopesFrom(text: string | undefined, kind: KeyKind): string[] | undefined {
  const scopes = text
    ?.split(',')
    .map((scope) => scope.trim())
    .filter(Boolean)
  for (const scope of scopes ?? []) {
    if (!scopesOf[kind].includes(scope))
      throw new UsageError(`A ${kind} key may have the scopes ${scopesOf[kind].join(', ')}, not "${scope}"`)
  }
  return scopes
}

function instantOf(option: string, text: string): string {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Date.now() + durationOf(option, text)
  if (Number.isNaN(at))
    throw new UsageError(`${option} takes a date, an RFC 3339 time or a duration such as 90d, not "${text}"`)
  if (at <= Date.now()) throw new UsageError(`${option} ${text} is in the past`)
  return new Date(at).toISOString()
}

/** With its unit: a bare number would be so many milliseconds, which nobody means. */
function durationOf(option: string, text: string): number {
  const duration = text === '0' || /[a-z]$/i.test(text) ? ms(text as ms.StringValue) : undefined
  if (duration === undefined || duration < 0)
    throw new UsageError(`${option} takes a duration such as 24h or 90d, not "${text}"`)
  return duration
}

function describe(key: ApiKey): string {
  const state = key.revoked_at ? `revoked ${key.revoked_at}` : key.expires_at ? `expires ${key.expires_at}` : 'no end'
  return [
    `${key.key_id}  ${key.hint}  ${key.tenant_id} ${key.mode} ${key.kind}${key.label ? `  "${key.label}"` : ''}`,
    `  ${key.rate_limit_per_minute}/min · ${key.scopes.join(' ')} · origins ${key.allowed_origins.join(' ') || 'none'}`,
    `  created ${key.created_at} · ${state} · last used ${key.last_used_at ?? 'never'}`,
  ].join('\n')
}
