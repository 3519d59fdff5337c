import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'

const webhooksCode = () => import('./listen-command.ts')

export const DEFAULT_RECEIVER_PORT = 4_600

/** The commands for trying webhooks out. `port` judges an option's text. */
export function registerWebhookCommands(program: Command, port: (text: string) => number): void {
  const webhooks = program.command('webhooks').description('try webhooks out, and prepare for them')
  webhooks
    .command('listen')
    .description('subscribe a receiver on this machine: it verifies and prints each event, until Ctrl-C')
    .option('--port <port>', 'that it listens on', port, DEFAULT_RECEIVER_PORT)
    .option('--api <url>', 'a running API (default: where PORT and FORECOURT_HOST have it, else http://127.0.0.1:8080)')
    .option('--key <key>', 'a secret key, or FORECOURT_KEY (default: the one that the demo keeps in FORECOURT_DATA)')
    .option('--events <types>', 'kinds, families or *, separated by commas', '*')
    .option('--forward <url>', 'pass verified events on to this URL, and answer as it does')
    .option('--fail <status>', 'answer events with this status, to watch the retries')
    .option('--secret <whsec>', 'verify for a subscription that there is already, instead of making one')
    .action(createLazyAction(webhooksCode, 'runWebhooksListen'))
  webhooks
    .command('key')
    .description('print a new key for webhooks.key, which seals signing secrets in the store')
    .action(createLazyAction(webhooksCode, 'runWebhooksKey'))
  webhooks
    .command('renew-secrets')
    .description(
      'after webhooks.key was lost: give every subscription that it sealed a new secret, and print them once',
    )
    .option('-c, --config <file>', 'the configuration (default: forecourt.yaml when it is here, else the demo)')
    .option('--json', 'print JSON')
    .action(createLazyAction(() => import('./renew-secrets-command.ts'), 'runWebhooksRenewSecrets'))
}
