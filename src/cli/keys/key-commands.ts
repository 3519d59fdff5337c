import type { Database } from '../../storage/database.ts'
import {
  type ApiKey,
  findApiKey,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../storage/keys/api-keys.ts'
import { transact } from '../../storage/transact.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig, requireMerchant } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, requireStore, withStore } from '../with-store.ts'
import {
  parseChoiceOption,
  parseDurationOption,
  parseExpiryOption,
  parseLabelOption,
  parseOriginsOption,
  parseRateOption,
  parseScopesOption,
} from './key-options.ts'

export interface IssueKeyOptions {
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

export async function runKeysIssue(options: IssueKeyOptions): Promise<void> {
  const kind = parseChoiceOption('--kind', options.kind, ['publishable', 'secret'] as const)
  const mode = parseChoiceOption('--mode', options.mode, ['sandbox', 'live'] as const)
  const at = readCommandConfig(options.config)
  requireMerchant(at, options.merchant)
  const of = at.of(options.merchant)
  await withStore(at.store, async (db) => {
    const request = {
      merchant: options.merchant,
      kind,
      mode,
      rate: parseRateOption(options.rate),
      origins: parseOriginsOption(options.origins, mode),
      scopes: parseScopesOption(options.scopes, kind),
      label: parseLabelOption(options.label),
      expiresAt: options.expires === undefined ? undefined : parseExpiryOption('--expires', options.expires),
    }
    const { key, record } = await transact(db, async (all) => {
      const issued = await issueApiKey(all, request)
      await auditCommand(all, 'key.issue', { key: issued.record.key_id, merchant: options.merchant, kind, mode })
      return issued
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

export async function runKeysList(options: { merchant?: string; json?: boolean; config?: string }): Promise<void> {
  const at = readCommandConfig(options.config)
  if (options.merchant !== undefined) requireMerchant(at, options.merchant)
  const there = hasStore(at.store)
  const keys = there ? await withStore(at.store, (db) => listApiKeys(db, options.merchant)) : []
  if (options.json) return printJson(keys)
  if (keys.length > 0) return print(keys.map(describe).join('\n\n'))
  const none = there ? '' : `, nor a store: ${at.store}`
  print(`No keys yet${none}. Make one with: npx forecourt keys issue --help`)
}

export async function runKeysRevoke(given: string, options: { json?: boolean; config?: string }): Promise<void> {
  const { store } = readCommandConfig(options.config)
  requireStore(store)
  await withStore(store, async (db) => {
    const id = await idOf(db, given)
    const record = await transact(db, async (all) => {
      const revoked = await revokeApiKey(all, id)
      if (revoked)
        await auditCommand(all, 'key.revoke', { key: id, merchant: revoked.tenant_id, until: revoked.revoked_at })
      return revoked
    })
    if (!record) throw new UsageError(`There is no key ${id}. See: npx forecourt keys list`)
    if (options.json) return printJson(record)
    print(`${id} is revoked. Running servers refuse it within a second.`)
  })
}

export async function runKeysRotate(
  given: string,
  options: { overlap: string; json?: boolean; config?: string },
): Promise<void> {
  const overlapMs = parseDurationOption('--overlap', options.overlap)
  const { store } = readCommandConfig(options.config)
  requireStore(store)
  await withStore(store, async (db) => {
    const id = await idOf(db, given)
    const rotated = await transact(db, async (all) => {
      const made = await rotateApiKey(all, id, overlapMs)
      if (made) {
        const { record, previous } = made
        const next = { merchant: record.tenant_id, until: previous.revoked_at, next: record.key_id }
        await auditCommand(all, 'key.rotate', { key: id, ...next })
      }
      return made
    })
    if (!rotated) throw new UsageError(`There is no key ${id}, or it has ended. See: npx forecourt keys list`)
    const { key, record, previous } = rotated
    if (options.json) return printJson({ key, ...record, previous })
    print(
      `${key}\n\n${describe(record)}\nThe old key ${previous.key_id} goes on until ${endOf(previous)}. Keep the new one now: it is not shown again.`,
    )
    if (record.expires_at)
      print('The new key ends when the old one would have. One that lasts longer: npx forecourt keys issue --expires')
  })
}

/** Who has found a key somewhere has the key, and no id. It is not repeated, also where there is none such. */
async function idOf(db: Database, given: string): Promise<string> {
  if (!given.startsWith('svc_')) return given
  const record = await findApiKey(db, given)
  if (!record) throw new UsageError('There is no such key here. See: npx forecourt keys list')
  return record.key_id
}

/** The earlier of its ends. */
const endOf = ({ revoked_at, expires_at }: ApiKey) => [revoked_at, expires_at].filter(Boolean).toSorted()[0] ?? null

function describe(key: ApiKey): string {
  const end = endOf(key)
  const isOver = end !== null && Date.parse(end) <= Date.now()
  const state =
    end === null ? 'no end' : isOver ? `${end === key.revoked_at ? 'revoked' : 'expired'} ${end}` : `ends ${end}`
  return [
    `${key.key_id}  ${key.hint}  ${key.tenant_id} ${key.mode} ${key.kind}${key.label ? `  "${key.label}"` : ''}`,
    `  ${key.rate_limit_per_minute}/min · ${key.scopes.join(' ')} · origins ${key.allowed_origins.join(' ') || 'none'}`,
    `  created ${key.created_at} · ${state} · last used ${key.last_used_at ?? 'never'}`,
  ].join('\n')
}
