import { createReferenceCsvFormat, importReferences } from '../../references/import-references.ts'
import { createPiesFormat, defaultInterchangeKinds, type PiesFormat } from '../../references/pies/pies-format.ts'
import type { ReferenceSummary } from '../../references/reference-file-parser.ts'
import { formatCountedNoun } from '../format-counts.ts'
import { csvTexts, xmlTexts } from '../imports/import-report-texts.ts'
import type { ImportTexts } from '../imports/print-import-report.ts'
import { type FileImportOptions, runFileImport } from '../imports/run-file-import.ts'
import { parseChoiceOption, splitList } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'
import { formatReferenceCounts } from './reference-commands.ts'

export interface ReferenceImportOptions extends FileImportOptions {
  format?: string
  typeCodes?: string
}

/** Imports a file of references and prints the result. */
export async function runReferenceImport(file: string, options: ReferenceImportOptions): Promise<void> {
  const isPies = parseChoiceOption('--format', options.format ?? 'csv', ['csv', 'pies']) === 'pies'
  if (!isPies && options.typeCodes !== undefined) throw new UsageError('--type-codes is only for --format pies')
  const pies = isPies ? createPiesFormat(parseTypeCodes(options.typeCodes)) : null
  const format = pies ?? createReferenceCsvFormat()
  await runFileImport(file, options, {
    texts: pies ? piesTexts(pies) : referenceTexts,
    importInto: (parts, input) => importReferences(parts, { ...input, format }),
  })
}

const referenceTexts: ImportTexts<ReferenceSummary> = {
  subject: 'references',
  ...csvTexts('sku, number and kind', 'references'),
  formatCounts: ({ counts }) => formatReferenceCounts(counts),
  toJson: ({ counts }) => ({ counts }),
}

const piesTexts = ({ listInterchanges }: PiesFormat): ImportTexts<ReferenceSummary> => ({
  ...referenceTexts,
  ...xmlTexts('PIES'),
  listWarnings: () =>
    listInterchanges()
      .filter(({ isAssumed }) => isAssumed)
      .map(({ code, kind, count }) => {
        const numbers = formatCountedNoun(count, 'number')
        if (code === '') return `${numbers} without a TypeCode: imported as ${kind}.`
        return `${numbers} with TypeCode ${code}: imported as ${kind}. --type-codes ${code}=SUPERSEDES, say, imports them as something else.`
      }),
  toJson: (summary) => ({
    ...referenceTexts.toJson!(summary),
    typeCodes: listInterchanges().map(({ code, kind, count }) => ({ code, kind, count })),
  }),
})

const KINDS = ['OEM', 'CROSS', 'SUPERSEDES', 'SUPERSEDED_BY'] as const

/** Parses `O=OEM,S=SUPERSEDES`. */
function parseTypeCodes(text: string | undefined) {
  if (text === undefined) return defaultInterchangeKinds
  const given = splitList(text).map((entry) => {
    const [code = '', kind = ''] = entry.split('=').map((part) => part.trim())
    if (code === '') throw new UsageError(`--type-codes takes CODE=KIND, such as S=SUPERSEDES, not "${entry}"`)
    return [code, parseChoiceOption('--type-codes', kind, KINDS)] as const
  })
  return { ...defaultInterchangeKinds, ...Object.fromEntries(given) }
}
