import { type KeyUsage, readKeyUsage } from '../../diagnostics/reports/key-usage.ts'
import { createNotFound } from '../../errors.ts'
import {
  type ApiKey,
  isApiKeyUsable,
  KEY_ID_PATTERN,
  listApiKeys,
  listApiKeysById,
  revokeApiKey,
} from '../../storage/keys/api-keys.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { describeErrorCode } from '../text/error-code-text.ts'
import { formatTimeAgo } from '../text/format-durations.ts'
import { formatNumber } from '../text/format-numbers.ts'
import { toKeyPill } from './key-pill.ts'
import { checkMerchantFilter, readMerchantFilter } from './merchant-filter.ts'

const USAGE_DAYS = 7
const MAX_KEYS = 200

export interface ApiKeyPagesParts extends AuditedActionParts {
  merchants: MerchantDirectory
}

/** Creates the list of API keys with their usage, and the action that revokes one. */
export function createApiKeyPages(parts: ApiKeyPagesParts): ConsolePage[] {
  const { db, merchants, now } = parts

  const listPage: ConsolePage = {
    method: 'GET',
    path: '/keys',
    role: 'support',
    async respond({ query }) {
      const notFound = checkMerchantFilter('/keys', query, merchants)
      if (notFound) return notFound
      const { merchant } = readMerchantFilter(query, merchants)
      const listed = merchant === null ? merchants.inOneTimeZone : merchants
      const [keys, usage] = await Promise.all([
        listApiKeys(db, merchant ?? undefined),
        readKeyUsage(db, USAGE_DAYS, now()),
      ])
      const at = new Date(now()).toISOString()
      const includeEnded = query.get('ended') === 'shown'
      const served = keys.filter((key) => merchants.shows(key.tenant_id))
      // A key that has ended and is still sent needs somebody, so it comes first.
      const isStillSent = (key: ApiKey) => !isApiKeyUsable(key, at) && isRecent(usage.get(key.key_id), now())
      const matches = served
        .filter((key) => includeEnded || isApiKeyUsable(key, at) || isStillSent(key))
        .toReversed()
        .toSorted((one, other) => Number(isStillSent(other)) - Number(isStillSent(one)))
      const rows = matches
        .slice(0, MAX_KEYS)
        .map((key) => toKeyRowView(key, usage.get(key.key_id) ?? null, { at, merchants: listed }))
      const omittedCount = matches.length - rows.length
      const filter = { merchant, includeEnded, merchants: merchants.all }
      const ended = { count: served.length - matches.length, href: toEndedHref(merchant) }
      const view = { keys: rows, omittedCount, ended, usageDays: USAGE_DAYS, filter }
      return { template: 'api-keys', title: 'Keys', view }
    },
  }

  const revokeAction = createAuditedAction(parts, {
    path: '/keys/:id/revoke',
    action: 'key.revoke',
    readTarget: ({ params }) => ({ key: params.id }),
    failurePath: () => '/keys',
    async run({ params }) {
      const id = params.id!
      const [key] = KEY_ID_PATTERN.test(id) ? await listApiKeysById(db, [id]) : []
      const record = key && merchants.shows(key.tenant_id) ? await revokeApiKey(db, id, new Date(now())) : null
      if (!record) throw createNotFound('key')
      return {
        redirect: '/keys',
        message: `${id} is revoked. Every process refuses it within a second. ${describeLastUse(record.last_used_at, now())}`,
      }
    },
  })

  return [listPage, revokeAction]
}

const STILL_SENT_MS = 3_600_000

/** Its requests were refused within an hour. */
const isRecent = (usage: KeyUsage | undefined, now: number) =>
  usage?.lastRefusedAt != null && now - usage.lastRefusedAt < STILL_SENT_MS

const toEndedHref = (merchant: string | null) =>
  `/keys?${new URLSearchParams({ ...(merchant && { merchant }), ended: 'shown' })}`

function toKeyRowView(
  key: ApiKey,
  usage: KeyUsage | null,
  { at, merchants }: { at: string; merchants: MerchantDirectory },
) {
  const { revoked_at, expires_at, tenant_id } = key
  const endsAt = revoked_at ?? expires_at
  return {
    id: key.key_id,
    hint: key.hint,
    kind: key.kind,
    mode: key.mode,
    label: key.label,
    merchantName: merchants.name(tenant_id),
    pill: toKeyPill(key, at),
    isUsable: isApiKeyUsable(key, at),
    endsAt: endsAt && merchants.time(endsAt, tenant_id),
    usage: toUsageView(usage),
    lastUsed: toLastUsedView(key, usage, merchants),
    limitPerMinute: formatNumber(key.rate_limit_per_minute),
    limitPerClient: key.rate_limit_per_client && formatNumber(key.rate_limit_per_client),
  }
}

const toUsageView = (usage: KeyUsage | null) => ({
  requests: formatNumber(usage?.requests ?? 0),
  refused: formatNumber(usage?.refused ?? 0),
  limited: formatNumber(usage?.limited ?? 0),
  lastRefusal: usage?.lastRefusalCode ? describeErrorCode(usage.lastRefusalCode).name : null,
  lastRefusalCode: usage?.lastRefusalCode ?? null,
})

/** Returns the latest use of a key: a time, or only a day where the daily counts are the newest source. `null`: it was never used. */
function toLastUsedView({ last_used_at, tenant_id }: ApiKey, usage: KeyUsage | null, merchants: MerchantDirectory) {
  const refusedAt = usage?.lastRefusedAt ? new Date(usage.lastRefusedAt).toISOString() : ''
  const at = [last_used_at ?? '', refusedAt].toSorted().at(-1)!
  const day = usage && usage.requests > 0 ? usage.lastDay : ''
  if (at === '' && day === '') return null
  return at.slice(0, 10) >= day ? { at: merchants.time(at, tenant_id), day: null } : { at: null, day }
}

/** The time of the last use is stored every ten seconds. */
const describeLastUse = (at: string | null, now: number) =>
  at === null ? 'It was not used, unless within the last ten seconds.' : `It was last used ${formatTimeAgo(at, now)}.`
