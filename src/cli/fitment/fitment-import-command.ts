import type { AcesFormat } from '../../fitment/aces/aces-format.ts'
import { createFitmentCsvFormat } from '../../fitment/fitment-csv-format.ts'
import type { FitmentSummary } from '../../fitment/fitment-file-parser.ts'
import { importFitments } from '../../fitment/import-fitments.ts'
import { parseNameField } from '../../imports/text-fields.ts'
import { formatCountedNoun, formatThousands } from '../format-counts.ts'
import { csvTexts, xmlTexts } from '../imports/file-format-texts.ts'
import type { ImportTexts } from '../imports/print-import-report.ts'
import { type FileImportOptions, runFileImport } from '../imports/run-file-import.ts'
import { shortenList } from '../imports/shorten-list.ts'
import { parseChoiceOption } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'
import { formatFitmentCounts } from './describe-imported-fitment.ts'
import { openAcesFormat } from './open-aces-format.ts'
import { usesImportedFitment } from './uses-imported-fitment.ts'

export interface FitmentImportOptions extends FileImportOptions {
  market?: string
  format?: string
  vehicles?: string
}

/** Imports a fitment file and prints the result. */
export async function runFitmentImport(file: string, options: FitmentImportOptions): Promise<void> {
  const market = parseMarketOption(options.market)
  const aces =
    parseChoiceOption('--format', options.format ?? 'csv', ['csv', 'aces']) === 'aces'
      ? await openAcesFormat(market, options.vehicles)
      : null
  if (!aces && options.vehicles !== undefined) throw new UsageError('--vehicles is only for --format aces')
  const format = aces ?? createFitmentCsvFormat(market)
  await runFileImport(file, options, {
    texts: aces ? acesTexts(aces) : fitmentTexts,
    importInto: (parts, input) => importFitments(parts, { ...input, format, combines: aces !== null }),
    findObstacle: (config, { merchant, mode }) =>
      usesImportedFitment(config.merchantConfig(merchant), mode)
        ? null
        : `Storefronts do not see it yet: ${config.name} does not have fitment: imported. See docs/fitment.md.`,
  })
}

const fitmentTexts: ImportTexts<FitmentSummary> = {
  subject: 'fitment',
  ...csvTexts('sku, year, make and model, or sku and universal', 'fitment'),
  formatCounts: ({ counts }) => formatFitmentCounts(counts),
  listWarnings({ oversizedVehicles }) {
    const [oversized] = oversizedVehicles
    if (!oversized) return []
    const count = formatCountedNoun(oversizedVehicles.length, 'vehicle')
    return [
      `${count} with too many parts to show all of them, such as ${oversized.vehicle} with ${formatThousands(oversized.parts)}.`,
    ]
  },
  toJson: ({ counts, oversizedVehicles }) => ({ counts, crowded: oversizedVehicles }),
}

const acesTexts = ({ listUnresolved }: AcesFormat): ImportTexts<FitmentSummary> => ({
  ...fitmentTexts,
  ...xmlTexts('ACES'),
  listWarnings: (summary) => [...fitmentTexts.listWarnings!(summary), ...formatUnresolved(listUnresolved())],
  toJson: (summary) => ({ ...fitmentTexts.toJson!(summary), unresolved: listUnresolved() }),
})

function formatUnresolved(unresolved: ReturnType<AcesFormat['listUnresolved']>): string[] {
  return [...Map.groupBy(unresolved, ({ element }) => element)].map(([element, ids]) => {
    const applications = ids.reduce((sum, one) => sum + one.applications, 0)
    const consequence = ['BaseVehicle', 'Make', 'Model'].includes(element) ? 'not imported' : 'kept as a qualifier'
    return `Not in the vehicle file: ${element} ${shortenList(ids.map(({ id }) => id))}, in ${formatCountedNoun(applications, 'application')}: ${consequence}.`
  })
}

function parseMarketOption(market = ''): string {
  try {
    return parseNameField('market', market, 64)
  } catch (error) {
    throw new UsageError(`--market: ${(error as Error).message}`)
  }
}
