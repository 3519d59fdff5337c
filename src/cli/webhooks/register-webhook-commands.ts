import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions, parsePortArgument } from '../shared-options.ts'

export const DEFAULT_RECEIVER_PORT = 4_600

/** Declares `forecourt webhooks …`. */
export function registerWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('test webhooks, and manage the key that encrypts their secrets')

  const listen = webhooks
    .command('listen')
    .description('receive events on this machine: subscribe, then verify and print each event until Ctrl-C')
    .option('--port <port>', 'the port of the receiver', parsePortArgument, DEFAULT_RECEIVER_PORT)
    .option('--api <url>', 'a running API (default: from PORT and FORECOURT_HOST, else http://127.0.0.1:8080)')
    .option('--key <key>', 'a secret key (default: FORECOURT_KEY, else the demo’s key in FORECOURT_DATA)')
    .option('--events <types>', 'event types such as order.shipped, families such as order.*, or *', '*')
    .option('--forward <url>', 'forward verified events to this URL and respond with its status')
    .option('--fail <status>', 'respond to events with this status, to see the retries')
    .option('--secret <whsec>', 'verify events of an existing subscription with this secret, without subscribing')
    .action(createLazyAction(() => import('./listen-command.ts'), 'runWebhooksListen'))
  addExample(
    listen,
    'webhooks listen --events order.*,stock.changed',
    'webhooks listen --forward http://localhost:3000/hooks',
  )

  webhooks
    .command('key')
    .description('print a new key for webhooks.key, which encrypts signing secrets in the store')
    .action(createLazyAction(() => import('./encryption-key-command.ts'), 'runWebhooksKey'))
  addStoreOptions(webhooks.command('renew-secrets'))
    .description(
      'after the loss of a webhooks.key: replace each signing secret that can no longer be decrypted, and print the new secrets once',
    )
    .action(createLazyAction(() => import('./renew-secrets-command.ts'), 'runWebhooksRenewSecrets'))
}
