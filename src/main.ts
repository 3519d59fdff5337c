import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { exitWithLauncher } from './cli/exit-with-launcher.ts'
import { registerFitmentCommands } from './cli/fitment/register-fitment-commands.ts'
import { createLazyAction } from './cli/lazy-action.ts'
import { registerOperatorCommands } from './cli/operators/register-operator-commands.ts'
import { printError } from './cli/print.ts'
import { registerSandboxCommands } from './cli/sandbox/register-sandbox-commands.ts'
import { UsageError } from './cli/usage-error.ts'
import { registerWebhookCommands } from './cli/webhooks/register-webhook-commands.ts'
import { ConfigError } from './config/config-error.ts'
import { version } from './operations/version.ts'

const serving = () => import('./cli/serve-command.ts')
const trying = () => import('./cli/demo/demo-command.ts')
const backOffice = () => import('./cli/sandbox/sandbox-command.ts')
const keysCode = () => import('./cli/keys/key-commands.ts')

const DEFAULT_CONFIG = 'forecourt.yaml'
/** The exit code for a command line or a configuration that cannot be followed. */
const WRONG_USAGE = 2

/** For what was said to reach whoever reads it. */
const LEFT_MS = 1_000

/** What went wrong, where putting the rest away went wrong too. */
const firstOf = (error: unknown): unknown => (error instanceof SuppressedError ? firstOf(error.suppressed) : error)

const port = (text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= 65_432) return value
  throw new InvalidArgumentError('a port number is expected')
}

exitWithLauncher()

const program = new Command('forecourt')
  .description('One storefront API in front of the back office a merchant already has.')
  .version(version)
  .showHelpAfterError('(add --help for what there is)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USAGE))

const withSandboxPort = (command: Command) =>
  command.option(
    '--sandbox-port <port>',
    'first of three ports for the embedded inventory, pricing and accounting; their controls are 100 above (default: 8091)',
    port,
  )

withSandboxPort(program.command('start'))
  .description(`serve ${DEFAULT_CONFIG} when it is here, else the demo`)
  .action(async (options) =>
    existsSync(DEFAULT_CONFIG)
      ? (await serving()).runServe({ config: DEFAULT_CONFIG, ...options })
      : (await trying()).runDemo(options),
  )

withSandboxPort(program.command('serve'))
  .description('serve the merchants of a configuration file')
  .option('-c, --config <file>', 'the configuration', DEFAULT_CONFIG)
  .action(createLazyAction(serving, 'runServe'))

withSandboxPort(program.command('demo'))
  .description('serve the demo merchant over the embedded back office')
  .action(createLazyAction(trying, 'runDemo'))

const sandboxCommand = withSandboxPort(program.command('sandbox'))
  .description('the embedded back office alone: three systems, each on its own port')
  .option('--only <systems>', 'some of inventory,pricing,accounting')
  .option('--merchants <ids>', 'the merchants it keeps goods for (default: demo,demo-live)')
  .action(createLazyAction(backOffice, 'runSandbox'))

withSandboxPort(sandboxCommand.command('fault <system>'))
  .description('make a running embedded system fail, until --clear')
  .option('--delay <ms>', 'answer late')
  .option('--hang', 'never answer')
  .option('--error-rate <share>', 'answer 500 to a share of the calls, 0 to 1')
  .option('--status <code>', 'answer every call with this 5xx')
  .option('--garbage', 'answer bytes that are not the protocol')
  .option('--refuse', 'refuse connections')
  .option('--drop-after <share>', 'do the work of a share of the calls, then cut the connection, 0 to 1')
  .option('--late <ms>', 'do the work, and answer that much later')
  .option('--late-rate <share>', 'to a share of the calls, 0 to 1 (default: 1)')
  .option('--only-calls <operations>', 'of these operations of the protocol alone, such as placeOrder')
  .option('--clear', 'be well again')
  .action(async (system, options, command) =>
    (await backOffice()).runSandboxFault(system, { ...command.parent.opts(), ...options }),
  )

sandboxCommand
  .command('protocol')
  .description('print the OpenAPI document that a back office without an adapter implements')
  .action(createLazyAction(backOffice, 'runSandboxProtocol'))

sandboxCommand
  .command('outcomes')
  .description('list the shoppers, SKUs, promotion codes and orders of the sandbox, and what each makes happen')
  .option('--json', 'print JSON')
  .action(createLazyAction(backOffice, 'runSandboxOutcomes'))

registerSandboxCommands(sandboxCommand, withSandboxPort)

registerWebhookCommands(program, port)

registerFitmentCommands(program, withSandboxPort)

const keys = program.command('keys').description('API keys: work on the store of a running server too')
const withStore = (command: Command) =>
  command
    .option('-c, --config <file>', `the configuration (default: ${DEFAULT_CONFIG} when it is here, else the demo)`)
    .option('--json', 'print JSON')

withStore(keys.command('issue'))
  .description('make a key; it is shown once')
  .requiredOption('--merchant <id>', 'the merchant it belongs to')
  .requiredOption('--kind <kind>', 'publishable (for browsers) or secret (for servers)')
  .requiredOption('--mode <mode>', 'sandbox or live')
  .option('--rate <n>', 'requests a minute (default: 600 publishable, 1200 secret)')
  .option('--origins <origins>', 'browser origins that may use a publishable key, separated by commas')
  .option('--scopes <scopes>', 'fewer scopes than the kind has, separated by commas')
  .option('--label <text>', 'what it is for')
  .option('--expires <when>', 'a date, an RFC 3339 time, or a duration such as 90d')
  .action(createLazyAction(keysCode, 'runKeysIssue'))
withStore(keys.command('list'))
  .description('all keys, without their secrets')
  .option('--merchant <id>', 'of this merchant alone')
  .action(createLazyAction(keysCode, 'runKeysList'))
withStore(keys.command('revoke <key_id>'))
  .description('end a key now')
  .action(createLazyAction(keysCode, 'runKeysRevoke'))
withStore(keys.command('rotate <key_id>'))
  .description('make a new key with the same rights; the old one goes on for a while')
  .option('--overlap <duration>', 'how long the old key goes on', '24h')
  .action(createLazyAction(keysCode, 'runKeysRotate'))

registerOperatorCommands(program, withStore)

withStore(program.command('migrate'))
  .description('bring the tables of the store up to date')
  .action(createLazyAction(() => import('./cli/migrate-command.ts'), 'runMigrate'))
withStore(program.command('backup'))
  .description('copy the embedded store to a new file, while servers go on')
  .requiredOption('--to <file>', 'a file that is not there yet')
  .action(createLazyAction(() => import('./cli/backup-command.ts'), 'runBackup'))

withSandboxPort(program.command('doctor'))
  .description('look at the configured systems without changing them: what is wrong, and how to mend it')
  .option('-c, --config <file>', `the configuration (default: ${DEFAULT_CONFIG} when it is here, else the demo)`)
  .option('--merchant <id>', 'this merchant alone')
  .option('--mode <mode>', 'live or sandbox (default: both, without an embedded sandbox)')
  .option('--system <systems>', 'some of inventory,pricing,accounting,fitment')
  .option('--customer <id or mailbox>', 'whom to ask about (default: one whom the ledger tells of)')
  .option('--sample <n>', 'how many products to look at, or all', '1000')
  .option('--timeout <ms>', 'the most that one question may take (default: twice what a request waits, at least 3000)')
  .option('--within <seconds>', 'the most that all of it may take (default: 120; 1800 with --sample all)')
  .option('--strict', 'exit with 1 for warnings too')
  .option('--json', 'print JSON')
  .action(createLazyAction(() => import('./cli/doctor/doctor-command.ts'), 'runDoctor'))

program
  .command('config')
  .description('the configuration file')
  .command('check')
  .argument('[file]', `the configuration (default: ${DEFAULT_CONFIG})`)
  .option('-c, --config <file>', 'the same')
  .description('report every mistake in it')
  .action(async (file, { config }) =>
    (await import('./cli/check-config-command.ts')).runConfigCheck(file ?? config ?? DEFAULT_CONFIG),
  )

try {
  await program.parseAsync()
} catch (error) {
  const reason = firstOf(error)
  const expected = reason instanceof ConfigError || reason instanceof UsageError
  printError(expected ? reason.message : `forecourt: ${reason instanceof Error ? reason.message : reason}`)
  process.exitCode = expected ? WRONG_USAGE : 1
  // Nothing that was left at work may keep up what has failed.
  setTimeout(() => process.exit(), LEFT_MS).unref()
}
