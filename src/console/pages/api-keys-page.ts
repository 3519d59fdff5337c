import { type KeyUsage, readKeyUsage } from '../../diagnostics/key-usage.ts'
import { Problem } from '../../errors.ts'
import { type ApiKey, isApiKeyUsable, listApiKeys, revokeApiKey } from '../../storage/keys/api-keys.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage } from '../console-page.ts'
import { type MerchantDirectory, readMerchantFilter } from '../merchant-directory.ts'
import type { ConsolePagesParts } from '../page-list.ts'
import { checkMerchantFilter } from './merchant-filter.ts'
import { toMerchantDirectory } from './webhook-page-view.ts'

const DAYS = 7
const MOST = 200
/** A store must not be asked for anything else: PostgreSQL fails at what text cannot hold. */
const KEY_ID = /^key_[0-9A-Za-z]{16}$/

/** Which keys there are, and what they met with lately; an operator may end one. */
export function createApiKeyPages(seen: AuditedActionParts & Pick<ConsolePagesParts, 'merchants'>): ConsolePage[] {
  const { db, now } = seen
  const merchants = toMerchantDirectory(seen)

  const list: ConsolePage = {
    ...{ method: 'GET', path: '/keys', role: 'support' },
    async answer({ query }) {
      const missing = checkMerchantFilter('/keys', query, merchants)
      if (missing) return missing
      const { merchant } = readMerchantFilter(query, merchants)
      const [keys, uses] = await Promise.all([listApiKeys(db, merchant ?? undefined), readKeyUsage(db, DAYS, now())])
      const at = new Date(now()).toISOString()
      const ended = query.get('ended') === 'shown'
      const chosen = keys.filter((key) => ended || isApiKeyUsable(key, at)).toReversed()
      const shown = chosen.slice(0, MOST).map((key) => keyView(key, uses.get(key.key_id) ?? null, { at, merchants }))
      const view = { keys: shown, left: chosen.length - shown.length, days: DAYS, merchant, ended, all: merchants.all }
      return { template: 'api-keys', title: 'Keys', view }
    },
  }

  const revoke = createAuditedAction(seen, {
    path: '/keys/:id/revoke',
    action: 'key.revoke',
    target: ({ params }) => ({ key: params.id }),
    back: () => '/keys',
    async act({ params }) {
      const id = params.id!
      const record = KEY_ID.test(id) ? await revokeApiKey(db, id, new Date(now())) : null
      if (!record) throw new Problem('not_found', 'There is no such key.')
      return { redirect: '/keys', notice: `${id} is revoked: it is refused everywhere within a second.` }
    },
  })

  return [list, revoke]
}

function keyView(key: ApiKey, use: KeyUsage | null, { at, merchants }: { at: string; merchants: MerchantDirectory }) {
  const { key_id, hint, kind, mode, label, rate_limit_per_minute, expires_at, revoked_at, tenant_id } = key
  const usable = isApiKeyUsable(key, at)
  const ends = revoked_at ?? expires_at
  const pill = usable
    ? { tone: ends ? 'warning' : 'well', word: ends ? 'Ends' : 'Good' }
    : { tone: '', word: revoked_at !== null && revoked_at <= at ? 'Revoked' : 'Expired' }
  return {
    ...{ id: key_id, hint, kind, mode, label, merchant: merchants.name(tenant_id), pill, usable, use },
    ends: ends && merchants.moment(ends, tenant_id),
    ...{ lastUsed: lastUsed(key, use, merchants), rate: rate_limit_per_minute, scopes: key.scopes },
  }
}

/** A key is noted as used now and then; what it was refused has its time, and its counts have their day alone. `null`: it never was. */
function lastUsed({ last_used_at, tenant_id }: ApiKey, use: KeyUsage | null, merchants: MerchantDirectory) {
  const refusedAt = use?.lastRefusedAt ? new Date(use.lastRefusedAt).toISOString() : ''
  const at = [last_used_at ?? '', refusedAt].toSorted().at(-1)!
  const day = use && use.requests > 0 ? use.lastDay : ''
  if (at === '' && day === '') return null
  return at.slice(0, 10) >= day ? { at: merchants.moment(at, tenant_id), day: null } : { at: null, day }
}
