import type { MerchantConfig } from '../../config/merchant-config.ts'
import { formatTimeAgo } from '../../console/text/format-durations.ts'
import { forecourtCommand } from '../../installed-command-line.ts'
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
import { modes } from '../../tenant.ts'
import { auditCommand } from '../command-audit.ts'
import { type CommandConfig, readCommandConfig, requireMerchant } from '../command-config.ts'
import { parseChoiceOption, parseDurationOption, parseExpiryOption } from '../parse-option.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { formatStore, listStoreWarnings, withReportedStore } from '../with-reported-store.ts'
import { hasStore, type StoreCommandOptions, withExistingStore, withStore } from '../with-store.ts'
import {
  parseLabelOption,
  parseOriginsOption,
  parseRateOption,
  parseRatePerClientOption,
  parseScopesOption,
} from './key-options.ts'

export interface IssueKeyOptions extends StoreCommandOptions {
  merchant: string
  kind: string
  mode: string
  rate?: string
  ratePerClient?: string
  origins?: string
  scopes?: string
  label?: string
  expires?: string
}

export async function runKeysIssue(options: IssueKeyOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const request = parseIssueOptions(options)
  requireMerchant(config, options.merchant)
  const { result, store } = await withReportedStore(config, (db) =>
    transact(db, async (transaction) => {
      const issued = await issueApiKey(transaction, request)
      const { merchant, kind, mode } = request
      await auditCommand(transaction, 'key.issue', { key: issued.record.key_id, merchant, kind, mode })
      return issued
    }),
  )
  const { key, record } = result
  const warnings = [
    ...issueWarnings(record, config, config.merchantConfig(options.merchant)),
    ...listStoreWarnings(store, 'refuses this key'),
  ]
  if (options.json) return printJson({ key, ...record, store: store.address, warnings })
  print(`${key}\n\n${formatKey(record)}\nStore the key now: it is not shown again.\n${formatStore(store)}`)
  for (const warning of warnings) print(warning)
}

function parseIssueOptions(options: IssueKeyOptions) {
  const kind = parseChoiceOption('--kind', options.kind, ['publishable', 'secret'])
  const mode = parseChoiceOption('--mode', options.mode, modes)
  const rate = parseRateOption(options.rate)
  return {
    merchant: options.merchant,
    kind,
    mode,
    rate,
    ratePerClient: parseRatePerClientOption(options.ratePerClient, { kind, rate }),
    origins: parseOriginsOption(options.origins, { kind, mode }),
    scopes: parseScopesOption(options.scopes, kind),
    label: parseLabelOption(options.label),
    expiresAt: options.expires === undefined ? undefined : parseExpiryOption('--expires', options.expires),
  }
}

function issueWarnings(
  { kind, mode, allowed_origins }: ApiKey,
  { embeddedSandbox }: CommandConfig,
  merchant: MerchantConfig | null,
): string[] {
  const warnings = []
  if (kind === 'publishable' && allowed_origins.length === 0)
    warnings.push('No browser may use this key: name the origins of your shop with --origins https://shop.example')
  if (allowed_origins.includes('*'))
    warnings.push('Any website may use this key: to allow only your shop, use --origins https://shop.example')
  if (mode === 'live' && merchant && Object.keys(merchant.live).length === 0)
    warnings.push(
      `${merchant.merchant} has no live systems in the configuration: until it has some, this key can read nothing.`,
    )
  if (mode === 'sandbox' && merchant?.sandbox === null && embeddedSandbox === false)
    warnings.push(
      `${merchant.merchant} has no sandbox: this key is refused. To run the embedded back office beside live merchants, set embedded_sandbox: true in the configuration.`,
    )
  return warnings
}

export async function runKeysList(options: StoreCommandOptions & { merchant?: string }): Promise<void> {
  const config = readCommandConfig(options.config)
  if (options.merchant !== undefined) requireMerchant(config, options.merchant)
  const isStoreThere = hasStore(config.store)
  const keys = isStoreThere ? await withStore(config.store, (db) => listApiKeys(db, options.merchant)) : []
  if (options.json) return printJson(keys)
  if (keys.length > 0) return print(keys.map(formatKey).join('\n\n'))
  const reason = isStoreThere ? '' : `: there is no store at ${config.store}`
  print(`No keys yet${reason}. Issue one with: ${forecourtCommand} keys issue --help`)
}

export async function runKeysRevoke(keyOrId: string, options: StoreCommandOptions): Promise<void> {
  const { store } = readCommandConfig(options.config)
  await withExistingStore(store, async (db) => {
    const keyId = await resolveKeyId(db, keyOrId)
    const record = await transact(db, async (transaction) => {
      const revoked = await revokeApiKey(transaction, keyId)
      if (revoked) {
        const { tenant_id: merchant, revoked_at: until } = revoked
        await auditCommand(transaction, 'key.revoke', { key: keyId, merchant, until })
      }
      return revoked
    })
    if (!record) throw new UsageError(`There is no key ${keyId}. See: ${forecourtCommand} keys list`)
    if (options.json) return printJson(record)
    const { last_used_at: usedAt } = record
    const lastUse = usedAt
      ? `It was last used ${formatTimeAgo(usedAt, Date.now())}.`
      : 'It was not used, unless within the last ten seconds.'
    print(`${keyId} is revoked. Running servers refuse it within a second. ${lastUse}`)
  })
}

export async function runKeysRotate(
  keyOrId: string,
  options: StoreCommandOptions & { overlap: string },
): Promise<void> {
  const overlapMs = parseDurationOption('--overlap', options.overlap)
  const { store } = readCommandConfig(options.config)
  await withExistingStore(store, async (db) => {
    const keyId = await resolveKeyId(db, keyOrId)
    const rotated = await transact(db, async (transaction) => {
      const result = await rotateApiKey(transaction, keyId, overlapMs)
      if (result) {
        const { record, previous } = result
        const change = { merchant: record.tenant_id, until: previous.revoked_at, next: record.key_id }
        await auditCommand(transaction, 'key.rotate', { key: keyId, ...change })
      }
      return result
    })
    if (!rotated)
      throw new UsageError(`There is no key ${keyId}, or it is revoked or expired. See: ${forecourtCommand} keys list`)
    const { key, record, previous } = rotated
    if (options.json) return printJson({ key, ...record, previous })
    print(
      `${key}\n\n${formatKey(record)}\nThe old key ${previous.key_id} works until ${endOf(previous)}. Store the new key now: it is not shown again.`,
    )
    if (record.expires_at)
      print(
        `The new key expires when the old one would have. For a later expiry: ${forecourtCommand} keys issue --expires`,
      )
  })
}

/** Returns the id of a key that is given by its id or by the key itself: somebody who has found a key does not know its id. Messages do not repeat the key. */
async function resolveKeyId(db: Database, keyOrId: string): Promise<string> {
  if (!keyOrId.startsWith('svc_')) return keyOrId
  const record = await findApiKey(db, keyOrId)
  if (!record) throw new UsageError(`This key is not in the store. See: ${forecourtCommand} keys list`)
  return record.key_id
}

/** Returns when a key is revoked or expires, whichever is earlier. */
const endOf = ({ revoked_at, expires_at }: ApiKey) => [revoked_at, expires_at].filter(Boolean).toSorted()[0] ?? null

function formatKey(key: ApiKey): string {
  // No browser sends a secret key.
  const origins = key.kind === 'publishable' ? ` · origins ${key.allowed_origins.join(' ') || 'none'}` : ''
  return [
    `${key.key_id}  ${key.hint}  ${key.tenant_id} ${key.mode} ${key.kind}${key.label ? `  "${key.label}"` : ''}`,
    `  ${formatLimits(key)} · ${key.scopes.join(' ')}${origins}`,
    `  created ${key.created_at} · ${formatEnd(key)} · last used ${key.last_used_at ?? 'never'}`,
  ].join('\n')
}

const formatLimits = ({ rate_limit_per_minute, rate_limit_per_client }: ApiKey) =>
  `${rate_limit_per_minute}/min${rate_limit_per_client === null ? '' : `, ${rate_limit_per_client}/min per client`}`

function formatEnd(key: ApiKey): string {
  if (key.revoked) return `revoked ${key.revoked_at}`
  const end = endOf(key)
  if (end === null) return 'does not expire'
  if (Date.parse(end) > Date.now()) return `ends ${end}`
  return `${end === key.revoked_at ? 'revoked' : 'expired'} ${end}`
}
