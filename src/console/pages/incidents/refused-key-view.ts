import type { RefusedKeyStatus } from '../../../diagnostics/status/read-refused-keys.ts'
import type { ApiKey } from '../../../storage/keys/api-keys.ts'
import { COMMAND_LINE } from '../../../storage/operators/audit-log.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toKeyPath } from '../../page-paths.ts'
import { formatCount } from '../../text/format-numbers.ts'

export interface RefusedKeyView {
  name: string
  merchantName: string
  mode: string
  /** "revoked by anna at 14:02, refused 311 times, last sent at 14:10" */
  text: string
  incidentHref: string
  /** What somebody who is no engineer does about it. */
  toDo: string
  keysHref: string
}

export function toRefusedKeyView(status: RefusedKeyStatus, merchants: MerchantDirectory): RefusedKeyView {
  const { key, incidentId, refused, lastAt } = status
  const { tenant_id, mode, label, hint } = key
  const keysHref = toKeyPath(key.key_id)
  const last = merchants.time(lastAt, tenant_id).text
  return {
    name: nameKey({ label, hint }),
    merchantName: merchants.name(tenant_id),
    mode,
    text: `${describeReason(status, merchants)}, refused ${formatCount(refused, 'time')}, last sent at ${last}`,
    incidentHref: `/incidents/${incidentId}`,
    toDo: `${describeToDo(status, merchants)}${describeIssuedKeys(status, merchants)}`,
    keysHref,
  }
}

function describeToDo({ reason, revokedBy, key }: RefusedKeyStatus, merchants: MerchantDirectory): string {
  const issue = `whoever runs Forecourt issues another one (forecourt keys issue), and ${merchants.name(key.tenant_id)} puts it into the shop. This key cannot be made valid again.`
  if (reason === 'expired') return `If the shop still needs a key, ${issue}`
  if (reason === 'revoked') {
    const isKnown = revokedBy !== null && revokedBy !== COMMAND_LINE
    return `Ask ${isKnown ? revokedBy : 'whoever runs Forecourt'} whether the key was revoked by mistake. If the shop still needs a key, ${issue}${isKnown ? ` Whoever runs Forecourt knows who ${revokedBy} is: the name is an operator’s (forecourt operators list).` : ''}`
  }
  return `If the site is one of the shop, ${issue} The new key must allow its origin.`
}

const nameKey = ({ label, hint }: Pick<ApiKey, 'label' | 'hint'>) => (label === null ? hint : `${label} (${hint})`)

/** Names the newest key that was issued since. Whether it replaces this key is not known. */
function describeIssuedKeys(
  { reason, key: { tenant_id, mode }, issuedSince }: RefusedKeyStatus,
  merchants: MerchantDirectory,
): string {
  if (reason === 'origin') return ''
  const [latest] = issuedSince
  if (!latest) return ` No key of ${merchants.name(tenant_id)} (${mode}) has been issued since then.`
  const toTime = (at: string) => merchants.time(at, tenant_id).text
  const use =
    latest.last_used_at === null ? 'and has not been used yet' : `and was last used at ${toTime(latest.last_used_at)}`
  return ` A newer key, ${nameKey(latest)}, was issued at ${toTime(latest.created_at)} ${use}. Ask whether it replaces this key.`
}

function describeReason({ reason, key, endedAt, revokedBy }: RefusedKeyStatus, merchants: MerchantDirectory): string {
  const at = endedAt === null ? '' : ` at ${merchants.time(endedAt, key.tenant_id).text}`
  if (reason === 'revoked') return `revoked${revokedBy === null ? '' : ` by ${revokedBy}`}${at}`
  return reason === 'expired' ? `expired${at}` : 'sent from an origin that it does not allow'
}
