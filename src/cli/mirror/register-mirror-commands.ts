import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions } from '../shared-options.ts'

/** Declares `forecourt mirror …`. */
export function registerMirrorCommands(program: Command): void {
  const mirror = program
    .command('mirror')
    .description('manage the mirrors: this machine’s copies of the merchants’ catalogs')
  const declare = (name: string, description: string, mode = 'live, but sandbox in the demo') =>
    addStoreOptions(mirror.command(name))
      .description(description)
      .option('--mode <mode>', `live or sandbox (default: ${mode})`)

  declare('status', 'print the size of the mirrors, and how current they are', 'both')
    .argument('[merchant]', 'only this merchant')
    .action(createLazyAction(() => import('./mirror-status-command.ts'), 'runMirrorStatus'))

  const rebuild = declare('rebuild', 'build a new mirror from the store, check it, then use it')
    .argument('<merchant>', 'the merchant')
    .option('--from-systems', 'also make running servers read the whole catalog from the systems again')
    .action(createLazyAction(() => import('./mirror-rebuild-command.ts'), 'runMirrorRebuild'))
  addExample(rebuild, 'mirror rebuild acme')

  const search = declare('search', 'search a mirror as a shopper does')
    .argument('<merchant>', 'the merchant')
    .argument('<text>', 'what the shopper types')
    .option('--limit <count>', 'the maximum number of products to print', '20')
    .action(createLazyAction(() => import('./mirror-search-command.ts'), 'runMirrorSearch'))
  addExample(search, 'mirror search acme "20w50"')

  declare('accept-deletions', 'deactivate all products that are missing in the inventory, however many')
    .argument('<merchant>', 'the merchant')
    .action(createLazyAction(() => import('./accept-deletions-command.ts'), 'runAcceptDeletions'))
}
