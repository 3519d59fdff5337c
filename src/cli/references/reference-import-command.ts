import { importReferences } from '../../references/import-references.ts'
import {
  type DescriptionChoice,
  type DescriptionCount,
  defaultDescriptionChoice,
} from '../../references/pies/item-descriptions.ts'
import { createPiesFormat, defaultInterchangeKinds, type PiesFormat } from '../../references/pies/pies-format.ts'
import { createReferenceCsvFormat } from '../../references/reference-csv-format.ts'
import type { ReferenceSummary } from '../../references/reference-file-parser.ts'
import { formatCountedNoun, formatThousands } from '../format-counts.ts'
import { csvTexts, xmlTexts } from '../imports/file-format-texts.ts'
import type { ImportTexts } from '../imports/print-import-report.ts'
import { type FileImportOptions, runFileImport } from '../imports/run-file-import.ts'
import { parseChoiceOption, splitList } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'
import { formatReferenceCounts } from './reference-commands.ts'

export interface ReferenceImportOptions extends FileImportOptions {
  format?: string
  typeCodes?: string
  descriptionCodes?: string
  language?: string
}

/** Imports a file of references and prints the result. */
export async function runReferenceImport(file: string, options: ReferenceImportOptions): Promise<void> {
  const isPies = parseChoiceOption('--format', options.format ?? 'csv', ['csv', 'pies']) === 'pies'
  for (const [name, value] of [
    ['--type-codes', options.typeCodes],
    ['--description-codes', options.descriptionCodes],
    ['--language', options.language],
  ])
    if (!isPies && value !== undefined) throw new UsageError(`${name} is only for --format pies`)
  const pies = isPies ? createPiesFormat(parseTypeCodes(options.typeCodes), parseDescriptionChoice(options)) : null
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

const piesTexts = ({ listInterchanges, listDescriptions }: PiesFormat): ImportTexts<ReferenceSummary> => ({
  ...referenceTexts,
  ...xmlTexts('PIES'),
  listWarnings: () => [
    ...listInterchanges()
      .filter(({ isAssumed }) => isAssumed)
      .map(({ code, kind, count }) => {
        const numbers = formatCountedNoun(count, 'number')
        if (code === '') return `${numbers} without a TypeCode: imported as ${kind}.`
        return `${numbers} with TypeCode ${code}: imported as ${kind}. --type-codes ${code}=SUPERSEDES, say, imports them as something else.`
      }),
    ...listIgnoredDescriptions(listDescriptions()),
  ],
  toJson: (summary) => ({
    ...referenceTexts.toJson!(summary),
    typeCodes: listInterchanges().map(({ code, kind, count }) => ({ code, kind, count })),
    descriptionCodes: listDescriptions().map(({ code, language, count, isChosen }) => ({
      code,
      language,
      count,
      chosen: isChosen,
    })),
  }),
})

function listIgnoredDescriptions(descriptions: readonly DescriptionCount[]): string[] {
  const ignored = descriptions.filter(({ isChosen }) => !isChosen)
  if (ignored.length === 0) return []
  const list = ignored.map(({ code, language, count }) =>
    [formatThousands(count), code || '(no code)', ...(language === '' ? [] : [`in ${language}`])].join(' '),
  )
  return [`Ignored descriptions: ${list.join(', ')}. --description-codes and --language choose others.`]
}

function parseDescriptionChoice({ descriptionCodes, language }: ReferenceImportOptions): DescriptionChoice {
  if (language !== undefined && !/^[a-z]{2}$/i.test(language))
    throw new UsageError(`--language takes two letters, such as fr, not "${language}"`)
  const codes = descriptionCodes === undefined ? defaultDescriptionChoice.codes : splitList(descriptionCodes)
  return {
    codes: codes.map((code) => code.toUpperCase()),
    language: language?.toLowerCase() ?? defaultDescriptionChoice.language,
  }
}

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
