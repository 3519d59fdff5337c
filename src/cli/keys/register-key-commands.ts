import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions } from '../shared-options.ts'

const keyCommands = () => import('./key-commands.ts')

/** Declares `forecourt keys …`. */
export function registerKeyCommands(program: Command): void {
  const keys = program.command('keys').description('manage API keys in the store, even while a server is running')

  const issue = addStoreOptions(keys.command('issue'))
    .description('issue a key and print it; it is shown only once')
    .requiredOption('--merchant <id>', 'the merchant that the key belongs to')
    .requiredOption('--kind <kind>', 'publishable (for browsers) or secret (for servers)')
    .requiredOption('--mode <mode>', 'live or sandbox')
    .option('--rate <n>', 'requests per minute (default: 600 for publishable keys, 1200 for secret keys)')
    .option(
      '--rate-per-client <n>',
      'requests per minute of one client with a publishable key (default: a tenth of --rate)',
    )
    .option('--origins <origins>', 'browser origins that may use a publishable key, separated by commas')
    .option('--scopes <scopes>', 'the scopes of the key, separated by commas (default: all that its kind allows)')
    .option('--label <text>', 'a note about the purpose of the key')
    .option('--expires <when>', 'a date, an RFC 3339 time, or a duration such as 90d (default: never)')
    .action(createLazyAction(keyCommands, 'runKeysIssue'))
  addExample(issue, 'keys issue --merchant acme --kind publishable --mode live --origins https://shop.example')

  addStoreOptions(keys.command('list'))
    .description('list keys, without their secrets')
    .option('--merchant <id>', 'list only the keys of this merchant')
    .action(createLazyAction(keyCommands, 'runKeysList'))

  addStoreOptions(keys.command('revoke'))
    .argument('<key_id>', 'the id of the key, or the key itself')
    .description('revoke a key; running servers refuse it within a second')
    .action(createLazyAction(keyCommands, 'runKeysRevoke'))

  const rotate = addStoreOptions(keys.command('rotate'))
    .argument('<key_id>', 'the id of the key, or the key itself')
    .description('issue a new key with the same rights; the old key keeps working for a while')
    .option('--overlap <duration>', 'how long the old key still works', '24h')
    .action(createLazyAction(keyCommands, 'runKeysRotate'))
  addExample(rotate, 'keys rotate key_9fK2… --overlap 7d')
}
