import type { Command } from 'commander'
import { fitmentColumns } from '../../fitment/csv-columns.ts'
import { addImportOptions, addTenantOptions, formatImportColumns } from '../imports/import-options.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions } from '../shared-options.ts'

const fitmentCommands = () => import('./fitment-commands.ts')

/** Declares `forecourt fitment …`. */
export function registerFitmentCommands(program: Command): void {
  const fitment = program
    .command('fitment')
    .description('manage vehicle fitment from a CSV or ACES file, for merchants with fitment: imported')
  const importCommand = addImportOptions(fitment.command('import'), 'fitment')
    .argument('<file>', 'a CSV or ACES file; - reads standard input')
    .description('replace the imported fitment with a file, completely or not at all')
    .option('--format <format>', 'csv or aces (3 and 4)', 'csv')
    .option('--vehicles <file>', 'a CSV file with the names of the vehicle ids in an ACES file')
    .option('--market <code>', 'the market for lines that name none (default: any)')
    .addHelpText(
      'after',
      `\nColumns of a CSV file, in any order (docs/fitment.md):\n${formatImportColumns(fitmentColumns)}`,
    )
    .action(createLazyAction(() => import('./fitment-import-command.ts'), 'runFitmentImport'))
  addExample(
    importCommand,
    'fitment import fitment.csv --merchant acme --mode live --dry-run --check-skus',
    'fitment import supplier.xml --format aces --vehicles vehicles.csv --merchant acme --mode live',
  )

  addStoreOptions(fitment.command('status'))
    .description('print what is imported for each merchant and mode, and whether storefronts see it')
    .action(createLazyAction(fitmentCommands, 'runFitmentStatus'))

  const exportCommand = addTenantOptions(fitment.command('export'), 'fitment')
    .description('print the imported fitment as CSV')
    .action(createLazyAction(fitmentCommands, 'runFitmentExport'))
  addExample(exportCommand, 'fitment export --merchant acme --mode live > fitment.csv')

  addTenantOptions(fitment.command('clear'), 'fitment')
    .description('delete the imported fitment')
    .action(createLazyAction(fitmentCommands, 'runFitmentClear'))

  fitment
    .command('template')
    .description('print a header line and two example rows')
    .action(createLazyAction(fitmentCommands, 'runFitmentTemplate'))
}
