import type { AuditLogRow } from '../../storage/operators/audit-log.ts'
import type { ShownImportLookup } from '../../storage/operators/failed-imports.ts'
import type { Mode } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { adviseOnFailedImport, describeShownImport, isImport } from '../text/failed-import-text.ts'
import { callAboutForecourt, callAboutMerchant, type WhomToCall } from '../whom-to-call.ts'

/** What shoppers see after an import that failed, and who does what. */
export interface FailedImportView {
  /** One sentence each. */
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
  const { merchant, mode, source, account, bad } = JSON.parse(target) as Record<string, unknown>
  if (outcome !== 'failed' || !isImport(action) || typeof merchant !== 'string') return {}
  const shown = findShownImport(action, { merchant, mode: mode as Mode })
  const toTime = (time: string) => merchants.time(time, null)
  if (shown && shown.at > at)
    return {
      advice: [`Nothing is left to do: a later import, of ${shown.source}, succeeded at ${toTime(shown.at).text}.`],
    }
  const file = { merchant, mode: String(mode), source: toText(source), account: toText(account) }
  const hasNamedLines = Array.isArray(bad) && bad.length > 0
  return {
    advice: [
      describeShownImport(action, shown, toTime),
      adviseOnFailedImport(action, { ...file, hasNamedLines }, merchants.name(merchant)),
    ],
    whom: toWhomToCall(merchant, merchants),
  }
}

export const toWhomToCall = (merchant: string, merchants: MerchantDirectory): WhomToCall[] => [
  callAboutMerchant(merchants, merchant),
  callAboutForecourt(merchants),
]

const toText = (value: unknown) => (typeof value === 'string' ? value : '')
