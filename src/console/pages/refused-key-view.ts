import type { RefusedKeyStatus } from '../../diagnostics/status/read-refused-keys.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toKeyPath } from '../search/support-paths.ts'
import { formatCount } from '../text/format-numbers.ts'

export interface RefusedKeyView {
  name: string
  merchantName: string
  mode: string
  /** "revoked by anna at 14:02, and refused 311 times, the last time at 14:10" */
  text: string
  incidentHref: string
  keysHref: string
}

export function toRefusedKeyView(status: RefusedKeyStatus, merchants: MerchantDirectory): RefusedKeyView {
  const { key, incidentId, refused, lastAt } = status
  const { tenant_id, mode, label, hint } = key
  const keysHref = toKeyPath(key.key_id)
  const last = merchants.time(lastAt, tenant_id).text
  return {
    name: label === null ? hint : `${label} (${hint})`,
    merchantName: merchants.name(tenant_id),
    mode,
    text: `${describeReason(status, merchants)}, refused ${formatCount(refused, 'time')}, the last time at ${last}`,
    incidentHref: `/incidents/${incidentId}`,
    keysHref,
  }
}

function describeReason({ reason, key, endedAt, revokedBy }: RefusedKeyStatus, merchants: MerchantDirectory): string {
  const at = endedAt === null ? '' : ` at ${merchants.time(endedAt, key.tenant_id).text}`
  if (reason === 'revoked') return `revoked${revokedBy === null ? '' : ` by ${revokedBy}`}${at}`
  return reason === 'expired' ? `expired${at}` : 'sent from an origin that it does not allow'
}
