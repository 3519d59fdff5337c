import type { ShownImport } from '../../storage/operators/import-status.ts'
import type { FitmentOrigin } from '../merchant-directory.ts'
import type { DisplayTime } from './format-times.ts'

/** What an import brings, by its action in the audit log. */
const subjects: Readonly<Record<string, string>> = {
  'fitment.import': 'fitment',
  'references.import': 'product numbers',
}

export const isImport = (action: string): boolean => Object.hasOwn(subjects, action)

const UNAFFECTED = 'Products, prices, carts and orders are not affected.'
const REST = `How many shoppers this concerns is not counted. ${UNAFFECTED}`

/** Of whom an import failed, and whether shoppers see what is imported. */
export interface ImportReader {
  merchantName: string
  mode: string
  /** `null`: the merchant is not configured here. */
  fitmentOrigin: FitmentOrigin | null
}

/** Says what shoppers see after an import that failed. */
export function describeShownImport(
  action: string,
  shown: ShownImport | null,
  reader: ImportReader,
  toTime: (at: string) => DisplayTime,
): string {
  const stays = shown
    ? `Nothing was imported: the import in use is still that of ${shown.source}, of ${toTime(shown.at).text}.`
    : 'Nothing was imported, and no import is in use. None was in use before this import either, so nothing changed for shoppers.'
  const seen = action === 'fitment.import' ? describeSeenFitment(shown, reader) : describeSeenNumbers(action, shown)
  return `${stays} ${seen}`
}

const describeSeenNumbers = (action: string, shown: ShownImport | null) =>
  shown
    ? `Shoppers see that import, without what the new file adds or corrects. ${REST}`
    : `Shoppers see no imported ${subjects[action] ?? 'data'}. ${REST}`

/** Fitment can also come from a system of the merchant, even if some was imported. */
function describeSeenFitment(shown: ShownImport | null, { merchantName, mode, fitmentOrigin }: ImportReader): string {
  const name = `${merchantName} (${mode})`
  if (fitmentOrigin === null)
    return `${merchantName} is not configured on this server, so it is not known here whether its shoppers see imports. ${UNAFFECTED}`
  if (fitmentOrigin !== 'imported') {
    const source = fitmentOrigin === 'inventory' ? 'its inventory' : 'a system of its own'
    return `Shoppers see no difference: ${name} is configured to read fitment from ${source}, not from imports. ${UNAFFECTED}`
  }
  const seen = shown
    ? 'so shoppers see that import, without what the new file adds or corrects'
    : 'so shoppers see no vehicles'
  return `${name} is configured with fitment: imported, ${seen}. ${REST}`
}

/** A file that an import refused, as the audit log has it. */
export interface RefusedFile {
  merchant: string
  mode: string
  /** The name of the file. */
  source: string
  /** The account of the operating system that ran the command; empty: unknown. */
  account: string
  /** How many lines of it are wrong, and how many of them the audit log names. */
  badLines: number
  namedLines: number
}

/** Says who does what, so that the import succeeds. Commands stand between backticks. */
export function adviseOnFailedImport(action: string, file: RefusedFile, merchantName: string): string {
  const { merchant, mode, source, account, badLines, namedLines } = file
  const path = /^[\w.-]+$/.test(source) ? source : 'FILE'
  const command = `forecourt ${action.replace('.', ' ')} ${path} --merchant ${merchant} --mode ${mode}`
  const by = account === '' ? '' : ` (there, the account ${account} ran the command)`
  const maker = `Whoever made the file for ${merchantName} corrects`
  if (namedLines > 0 && badLines > namedLines)
    return `${namedLines} of ${badLines} bad lines are named here, and all must be corrected. First, whoever runs Forecourt prints all ${badLines} on its server${by}: \`${command} --dry-run --all\`. This changes nothing. ${maker} them. Then whoever runs Forecourt imports the file again there: \`${command}\`.`
  const lines = namedLines > 0 ? 'the lines that are named here, which are all the bad ones' : 'it'
  return `${maker} ${lines}. Then whoever runs Forecourt imports the file again on its server${by}: \`${command}\`. With \`--dry-run --all\`, this command prints every bad line and changes nothing.`
}
