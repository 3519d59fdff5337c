import { listDaysOfKey } from '../../../storage/diagnostics/daily-key-usage.ts'
import { listRefusalsOfKey, type RequestRecordRow } from '../../../storage/diagnostics/request-records.ts'
import { type ApiKey, isApiKeyUsable, KEY_ID_PATTERN, listApiKeysById } from '../../../storage/keys/api-keys.ts'
import { findKeyRevoker } from '../../../storage/operators/audit-log.ts'
import type { ConsolePage, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toCodePath, toRequestPath } from '../../page-paths.ts'
import { describeErrorCode } from '../../text/error-code-text.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import { describeRoute, toShownRoute } from '../../text/route-text.ts'
import { callAboutForecourt, callAboutMerchant } from '../../whom-to-call.ts'
import { toKeyPill } from '../key-pill.ts'
import type { LookupPageParts } from './lookup-page-dependencies.ts'
import { createLookupNotFound, isServedTenant } from './served-tenant.ts'

const MAX_DAYS = 14
const MAX_REFUSALS = 25

/** Creates the page of an API key: its rights and limits, its use by day, and its latest refused requests. */
export function createKeyPage({ db, merchants, now }: LookupPageParts): ConsolePage {
  return {
    method: 'GET',
    path: '/keys/:id',
    role: 'support',
    isLive: true,
    async respond({ params }): Promise<TemplateResponse> {
      const id = params.id!
      const [key] = KEY_ID_PATTERN.test(id) ? await listApiKeysById(db, [id]) : []
      if (!key || !isServedTenant(merchants, key.tenant_id)) throw createLookupNotFound('key')
      const at = new Date(now()).toISOString()
      const revokedAt = key.revoked_at !== null && key.revoked_at <= at ? Date.parse(key.revoked_at) : null
      const [days, refusals, revoker] = await Promise.all([
        listDaysOfKey(db, id, MAX_DAYS),
        listRefusalsOfKey(db, id, MAX_REFUSALS),
        revokedAt === null ? null : findKeyRevoker(db, id, revokedAt),
      ])
      const view = {
        ...toKeyView(key, at, merchants),
        revoker,
        whomToCall: [callAboutMerchant(merchants, key.tenant_id), callAboutForecourt(merchants)],
        days: days.map(({ day, requests, refused, limited, last_refusal_code }) => ({
          day,
          requests: formatNumber(requests),
          refused: formatNumber(refused),
          limited: formatNumber(limited),
          lastRefusal: last_refusal_code && toRefusalText(last_refusal_code),
        })),
        refusals: refusals.map((record) => toRefusalView(record, key, merchants)),
      }
      return { template: 'api-key', title: `Key ${key.label ?? key.hint}`, view }
    },
  }
}

function toKeyView(key: ApiKey, at: string, merchants: MerchantDirectory) {
  const toTime = (time: string | null) => time && merchants.time(time, key.tenant_id)
  const { rate_limit_per_minute, rate_limit_per_client } = key
  return {
    id: key.key_id,
    hint: key.hint,
    label: key.label,
    kind: key.kind,
    mode: key.mode,
    merchantName: merchants.name(key.tenant_id),
    pill: toKeyPill(key, at),
    isUsable: isApiKeyUsable(key, at),
    scopes: key.scopes,
    origins: key.allowed_origins,
    limit: `${formatNumber(rate_limit_per_minute)} requests a minute`,
    clientLimit:
      rate_limit_per_client === null ? null : `${formatNumber(rate_limit_per_client)} a minute for each client`,
    created: merchants.time(key.created_at, key.tenant_id),
    expires: toTime(key.expires_at),
    revoked: toTime(key.revoked_at),
    lastUsed: toTime(key.last_used_at),
  }
}

const toRefusalText = (code: string) => ({ code, name: describeErrorCode(code).name, href: toCodePath(code) })

function toRefusalView(record: RequestRecordRow, { tenant_id }: ApiKey, merchants: MerchantDirectory) {
  return {
    id: record.request_id,
    href: toRequestPath(record.request_id),
    at: merchants.time(record.at, tenant_id),
    route: toShownRoute(record.route),
    asked: describeRoute(record.route),
    status: record.status,
    reason: record.code && toRefusalText(record.code),
  }
}
