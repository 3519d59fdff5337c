import type { Command } from 'commander'
import { referenceColumns } from '../../references/reference-columns.ts'
import { addImportOptions, addTenantOptions, formatImportColumns } from '../imports/import-options.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions } from '../shared-options.ts'

const referenceCommands = () => import('./reference-commands.ts')

/** Declares `forecourt references …`. */
export function registerReferenceCommands(program: Command): void {
  const references = program
    .command('references')
    .description('manage product references: OEM numbers, cross-references, supersessions and customers’ own numbers')

  const importCommand = addImportOptions(references.command('import'), 'references')
    .argument('<file>', 'a CSV or PIES file; - reads standard input')
    .description('replace the imported references with a file, completely or not at all')
    .option('--format <format>', 'csv or pies (6 and 7)', 'csv')
    .option(
      '--type-codes <list>',
      'kinds of the interchange type codes of a PIES file, such as S=SUPERSEDES; by default, O is OEM and others are CROSS',
    )
    .option(
      '--description-codes <list>',
      'which description of a PIES item is imported: the first of these codes that it has (default: MKT,EXT,DES,SHO)',
    )
    .option('--language <code>', 'the language of the descriptions of a PIES file (default: en)')
    .addHelpText(
      'after',
      `\nColumns of a CSV file, in any order (docs/references.md):\n${formatImportColumns(referenceColumns)}`,
    )
    .action(createLazyAction(() => import('./reference-import-command.ts'), 'runReferenceImport'))
  addExample(
    importCommand,
    'references import references.csv --merchant acme --mode live --dry-run --check-skus',
    'references import supplier.xml --format pies --merchant acme --mode live',
  )

  addStoreOptions(references.command('status'))
    .description('print what is imported for each merchant and mode')
    .action(createLazyAction(referenceCommands, 'runReferenceStatus'))

  const exportCommand = addTenantOptions(references.command('export'), 'references')
    .description('print the imported references as CSV')
    .action(createLazyAction(referenceCommands, 'runReferenceExport'))
  addExample(exportCommand, 'references export --merchant acme --mode live > references.csv')

  addTenantOptions(references.command('clear'), 'references')
    .description('delete the imported references')
    .action(createLazyAction(referenceCommands, 'runReferenceClear'))

  references
    .command('template')
    .description('print a header line and four example rows')
    .action(createLazyAction(referenceCommands, 'runReferenceTemplate'))
}
