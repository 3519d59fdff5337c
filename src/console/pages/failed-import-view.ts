import type { AuditLogRow } from '../../storage/operators/audit-log.ts'
import type { ShownImportLookup } from '../../storage/operators/import-status.ts'
import type { Mode, Tenant } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { adviseOnFailedImport, describeShownImport, type ImportReader, isImport } from '../text/failed-import-text.ts'
import { callAboutForecourt, callAboutMerchant, type WhomToCall } from '../whom-to-call.ts'

/** What shoppers see after an import that failed, and who does what. */
export interface FailedImportView {
  /** Commands stand between backticks. */
  advice: string[]
  /** About the file, and about the server on which it is imported. */
  whom: WhomToCall[]
}

/** Returns it for an entry of the audit log; nothing for other entries. */
export function toFailedImportView(
  { action, outcome, target, at }: AuditLogRow,
  findShownImport: ShownImportLookup,
  merchants: MerchantDirectory,
): Partial<FailedImportView> {
  const { merchant, mode, source, account, badLines, bad } = JSON.parse(target) as Record<string, unknown>
  if (outcome !== 'failed' || !isImport(action) || typeof merchant !== 'string') return {}
  const tenant = { merchant, mode: mode as Mode }
  const shown = findShownImport(action, tenant)
  const toTime = (time: string) => merchants.time(time, null)
  if (shown && shown.at > at)
    return {
      advice: [`Nothing is left to do: a later import, of ${shown.source}, succeeded at ${toTime(shown.at).text}.`],
    }
  const file = { merchant, mode: String(mode), source: toText(source), account: toText(account) }
  const namedLines = Array.isArray(bad) ? bad.length : 0
  const lines = { namedLines, badLines: typeof badLines === 'number' ? badLines : namedLines }
  return {
    advice: [
      describeShownImport(action, shown, toImportReader(tenant, merchants), toTime),
      adviseOnFailedImport(action, { ...file, ...lines }, merchants.name(merchant)),
    ],
    whom: toWhomToCall(merchant, merchants),
  }
}

export const toImportReader = (tenant: Tenant, merchants: MerchantDirectory): ImportReader => ({
  merchantName: merchants.name(tenant.merchant),
  mode: tenant.mode,
  fitmentOrigin: merchants.fitmentOrigin(tenant),
})

export const toWhomToCall = (merchant: string, merchants: MerchantDirectory): WhomToCall[] => [
  callAboutMerchant(merchants, merchant),
  callAboutForecourt(merchants),
]

const toText = (value: unknown) => (typeof value === 'string' ? value : '')
