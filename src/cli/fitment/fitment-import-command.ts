import { createFitmentCsvFormat } from '../../fitment/fitment-csv-format.ts'
import type { FitmentSummary } from '../../fitment/fitment-file-parser.ts'
import { importFitments } from '../../fitment/import-fitments.ts'
import { forecourtCommand } from '../../forecourt-command.ts'
import { parseNameField } from '../../imports/text-fields.ts'
import { usesImportedFitment } from '../command-config.ts'
import { formatCountedNoun, formatThousands } from '../imports/import-text.ts'
import type { ImportTexts } from '../imports/print-import-report.ts'
import { type FileImportOptions, runFileImport } from '../imports/run-file-import.ts'
import { UsageError } from '../usage-error.ts'
import { formatFitmentCounts } from './fitment-text.ts'

export interface FitmentImportOptions extends FileImportOptions {
  market?: string
}

/** Imports a fitment file and prints the result. */
export async function runFitmentImport(file: string, options: FitmentImportOptions): Promise<void> {
  const format = createFitmentCsvFormat(parseMarketOption(options.market))
  await runFileImport(file, options, {
    texts,
    importInto: (parts, input) => importFitments(parts, { ...input, format }),
    findObstacle: (config, { merchant, mode }) =>
      usesImportedFitment(config.merchantConfig(merchant), mode)
        ? null
        : `Storefronts do not see it yet: ${config.name} does not have fitment: imported. See docs/fitment.md.`,
  })
}

const texts: ImportTexts<FitmentSummary> = {
  subject: 'fitment',
  formatCounts: ({ counts }) => formatFitmentCounts(counts),
  headerHint: `It needs the columns sku, year, make and model, or sku and universal; ${forecourtCommand} fitment template prints an example.`,
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

function parseMarketOption(market = ''): string {
  try {
    return parseNameField('market', market, 64)
  } catch (error) {
    throw new UsageError(`--market: ${(error as Error).message}`)
  }
}
