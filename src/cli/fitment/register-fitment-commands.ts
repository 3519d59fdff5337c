import type { Command } from 'commander'
import { fitmentColumns } from '../../fitment/csv-columns.ts'
import { createLazyAction } from '../lazy-action.ts'

const kept = () => import('./fitment-commands.ts')

/** The commands for vehicle fitment that comes from a file. `withSandboxPort` adds the option that finds the embedded systems. */
export function registerFitmentCommands(program: Command, withSandboxPort: (command: Command) => Command): void {
  const fitment = program.command('fitment').description('vehicle fitment from a CSV file (fitment: imported)')
  const withStore = (command: Command) =>
    command
      .option('-c, --config <file>', 'the configuration (default: forecourt.yaml when it is here, else the demo)')
      .option('--json', 'print JSON')
  const ofMerchant = (command: Command) =>
    withStore(command)
      .requiredOption('--merchant <id>', 'whose fitment it is')
      .requiredOption('--mode <mode>', 'sandbox or live')

  withSandboxPort(ofMerchant(fitment.command('import <file>')))
    .description('put a file in the place of what was imported before, all of it or nothing; - reads standard input')
    .option('--dry-run', 'only check the file')
    .option('--skip-bad', 'import the lines that are well, and leave the others out')
    .option('--all', 'show every bad line (default: the first 20)')
    .option('--market <code>', 'the market of lines that name none (default: any)')
    .option('--check-skus', 'ask the inventory which SKUs it does not know')
    .addHelpText('after', `\nColumns, in any order (docs/fitment.md):\n${columnLines()}`)
    .action(createLazyAction(() => import('./fitment-import-command.ts'), 'runFitmentImport'))
  withStore(fitment.command('status'))
    .description('what is imported, and whether it is shown')
    .action(createLazyAction(kept, 'runFitmentStatus'))
  ofMerchant(fitment.command('export'))
    .description('print what is imported as a CSV file')
    .action(createLazyAction(kept, 'runFitmentExport'))
  ofMerchant(fitment.command('clear'))
    .description('forget what is imported')
    .action(createLazyAction(kept, 'runFitmentClear'))
  fitment
    .command('template')
    .description('print a head line with two example rows')
    .action(createLazyAction(kept, 'runFitmentTemplate'))
}

const columnLines = () =>
  Object.entries(fitmentColumns)
    .map(([name, what]) => `  ${name.padEnd(12)} ${what}`)
    .join('\n')
