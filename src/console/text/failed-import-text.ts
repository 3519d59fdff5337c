import type { ShownImport } from '../../storage/operators/failed-imports.ts'
import type { DisplayTime } from './format-times.ts'

/** What an import brings, by its action in the audit log. */
const subjects: Readonly<Record<string, string>> = {
  'fitment.import': 'fitment',
  'references.import': 'product numbers',
}

export const isImport = (action: string): boolean => Object.hasOwn(subjects, action)

const REST = 'How many shoppers this concerns is not counted. Products, prices, carts and orders are not affected.'

/** Fitment can also come from a system of the merchant, even if some was imported. */
const IF_CONFIGURED = 'Shoppers see it if the merchant is configured with fitment: imported.'

/** Says what shoppers see after an import that failed. */
export function describeShownImport(
  action: string,
  shown: ShownImport | null,
  toTime: (at: string) => DisplayTime,
): string {
  const subject = subjects[action] ?? 'data'
  if (!shown) return `Nothing was imported, and no import is in use: shoppers see no imported ${subject}. ${REST}`
  const stays = `Nothing was imported: the import in use is still that of ${shown.source}, of ${toTime(shown.at).text}.`
  return [stays, ...(action === 'fitment.import' ? [IF_CONFIGURED] : []), REST].join(' ')
}

/** A file that an import refused, as the audit log has it. */
export interface RefusedFile {
  merchant: string
  mode: string
  /** The name of the file. */
  source: string
  /** The account of the operating system that ran the command; empty: unknown. */
  account: string
  /** The audit log names lines of it. */
  hasNamedLines: boolean
}

/** Says who does what, so that the import succeeds. */
export function adviseOnFailedImport(action: string, file: RefusedFile, merchantName: string): string {
  const { merchant, mode, source, account, hasNamedLines } = file
  const path = /^[\w.-]+$/.test(source) ? source : 'FILE'
  const command = `forecourt ${action.replace('.', ' ')} ${path} --merchant ${merchant} --mode ${mode}`
  const by = account === '' ? '' : ` (there, the account ${account} ran the command)`
  return `Whoever made the file for ${merchantName} corrects ${hasNamedLines ? 'the lines that are named here' : 'it'}. Then whoever runs Forecourt imports the file again on its server${by}: ${command}. With --dry-run --all, this command prints every bad line and changes nothing.`
}
