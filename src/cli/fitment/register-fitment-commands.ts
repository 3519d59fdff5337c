import type { Command } from 'commander'
import { fitmentColumns } from '../../fitment/csv-columns.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addSandboxPortOption, addStoreOptions } from '../shared-options.ts'

const fitmentCommands = () => import('./fitment-commands.ts')

/** Declares `forecourt fitment …`. */
export function registerFitmentCommands(program: Command): void {
  const fitment = program
    .command('fitment')
    .description('manage vehicle fitment from a CSV file (fitment: imported in the configuration)')
  const addTenantOptions = (command: Command) =>
    addStoreOptions(command)
      .requiredOption('--merchant <id>', 'the merchant that the fitment belongs to')
      .requiredOption('--mode <mode>', 'live or sandbox')

  const importCommand = addSandboxPortOption(addTenantOptions(fitment.command('import')))
    .argument('<file>', 'a CSV file; - reads standard input')
    .description('replace the imported fitment with a file, completely or not at all')
    .option('--dry-run', 'only check the file')
    .option('--skip-bad', 'import the valid lines and skip the others')
    .option('--all', 'print every bad line (default: the first 20)')
    .option('--market <code>', 'the market for lines that name none (default: any)')
    .option('--check-skus', 'list the SKUs that the inventory does not know')
    .addHelpText('after', `\nColumns, in any order (docs/fitment.md):\n${formatColumns()}`)
    .action(createLazyAction(() => import('./fitment-import-command.ts'), 'runFitmentImport'))
  addExample(importCommand, 'fitment import fitment.csv --merchant acme --mode live --dry-run --check-skus')

  addStoreOptions(fitment.command('status'))
    .description('print what is imported for each merchant and mode, and whether storefronts see it')
    .action(createLazyAction(fitmentCommands, 'runFitmentStatus'))

  const exportCommand = addTenantOptions(fitment.command('export'))
    .description('print the imported fitment as CSV')
    .action(createLazyAction(fitmentCommands, 'runFitmentExport'))
  addExample(exportCommand, 'fitment export --merchant acme --mode live > fitment.csv')

  addTenantOptions(fitment.command('clear'))
    .description('delete the imported fitment')
    .action(createLazyAction(fitmentCommands, 'runFitmentClear'))

  fitment
    .command('template')
    .description('print a header line and two example rows')
    .action(createLazyAction(fitmentCommands, 'runFitmentTemplate'))
}

const formatColumns = () =>
  Object.entries(fitmentColumns)
    .map(([name, description]) => `  ${name.padEnd(12)} ${description}`)
    .join('\n')
