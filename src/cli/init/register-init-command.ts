import type { Command } from 'commander'
import { DEFAULT_CONFIG_FILE } from '../default-config-file.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addExample } from '../shared-options.ts'

/** Declares `forecourt init`. */
export function registerInitCommand(program: Command): void {
  const init = program
    .command('init')
    .description(
      'ask about a merchant’s back office, write forecourt.yaml and forecourt.env, check them and issue the first keys',
    )
    .option('-c, --config <file>', 'the file to write; forecourt.env is written beside it', DEFAULT_CONFIG_FILE)
    .option('--back-office <kind>', 'rest, tryton, odoo, or sandbox for only the embedded one (default: sandbox)')
    .option('--merchant <id>', 'the id of the merchant (default: shop)')
    .option('--name <text>', 'the name of the merchant (default: its id)')
    .option('--currency <code>', 'the currency, an ISO 4217 code (default: USD; for Odoo, that of the company)')
    .option('--time-zone <zone>', 'the time zone, an IANA name (default: that of this machine)')
    .option('--address <url>', 'the address of the back office; for rest, of the inventory')
    .option('--pricing-address <url>', 'the address of pricing, for rest (default: --address)')
    .option('--accounting-address <url>', 'the address of accounting, for rest (default: --address)')
    .option('--database <name>', 'the database in Tryton or Odoo; none: the only one of an Odoo 19 server')
    .option('--user <login>', 'the login of Forecourt’s user in Tryton or Odoo; Odoo 19 does not need it')
    .option(
      '--mail <url>',
      'the mail server, or none (default: none); if the URL contains a password, set FORECOURT_MAIL_URL instead',
    )
    .option('--mail-from <mailbox>', 'the sender of emails')
    .option('--port <port>', 'the port that the API listens on (default: 8080)')
    .option('--data <folder>', 'the data directory (default: data beside the file)')
    .option(
      '--store <url>',
      'sqlite, or a PostgreSQL URL (default: sqlite); if the URL contains a password, set FORECOURT_STORE instead',
    )
    .option('--proxy <networks>', 'proxies in front: none, loopback, or networks separated by commas (default: none)')
    .option('--public-url <url>', 'the URL at which browsers reach the API, or none (default: none)')
    .option('-y, --yes', 'use the defaults for options that are not given, and ask no questions')
    .option('--force', 'replace existing files')
    .option('--live-keys', 'issue live keys too, not only sandbox keys')
    .option('--no-check', 'do not check the configuration')
    .option('--no-doctor', 'do not call the back office with the doctor')
    .option('--no-keys', 'issue no keys')
    .action(createLazyAction(() => import('./init-command.ts'), 'runInit'))
  init.addHelpText(
    'after',
    '\nThe secret of the back office has no option, because other accounts can see command lines. Type it when init\nasks for it, or set FORECOURT_ERP_TOKEN (rest), FORECOURT_ERP_PASSWORD (tryton) or FORECOURT_ERP_API_KEY (odoo).',
  )
  addExample(
    init,
    'init',
    'init --yes --back-office sandbox --merchant acme --currency JMD --time-zone America/Jamaica',
  )
}
