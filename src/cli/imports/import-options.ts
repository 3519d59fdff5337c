import type { Command } from 'commander'
import { addSandboxPortOption, addStoreOptions } from '../shared-options.ts'

/** The options of the commands that work on what is imported for one merchant and mode. */
export const addTenantOptions = (command: Command, noun: string): Command =>
  addStoreOptions(command)
    .requiredOption('--merchant <id>', `the merchant that the ${noun} belong${noun.endsWith('s') ? '' : 's'} to`)
    .requiredOption('--mode <mode>', 'live or sandbox')

/** The options of every import of a file. */
export const addImportOptions = (command: Command, noun: string): Command =>
  addSandboxPortOption(addTenantOptions(command, noun))
    .option('--dry-run', 'only check the file')
    .option('--skip-bad', 'import the valid lines and skip the others')
    .option('--all', 'print every bad line (default: the first 20)')
    .option('--check-skus', 'report the SKUs that the inventory does not have')

/** Formats the columns of a file for the help of its import. */
export const formatImportColumns = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, description]) => `  ${name.padEnd(12)} ${description}`)
    .join('\n')
