import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { DEFAULT_CONFIG_FILE } from './cli/default-config-file.ts'
import { registerDoctorCommand } from './cli/doctor/register-doctor-command.ts'
import { registerEnvironmentFileOption } from './cli/environment-file-option.ts'
import { exitWithLauncher } from './cli/exit-with-launcher.ts'
import { registerFitmentCommands } from './cli/fitment/register-fitment-commands.ts'
import { registerHelpCommands } from './cli/help-command.ts'
import { registerInitCommand } from './cli/init/register-init-command.ts'
import { registerKeyCommands } from './cli/keys/register-key-commands.ts'
import { createLazyAction } from './cli/lazy-action.ts'
import { registerLogsCommand } from './cli/logs/register-logs-command.ts'
import { registerMaintenanceCommands } from './cli/maintenance/register-maintenance-commands.ts'
import { registerMirrorCommands } from './cli/mirror/register-mirror-commands.ts'
import { registerOperatorCommands } from './cli/operators/register-operator-commands.ts'
import { printError } from './cli/print.ts'
import { registerReferenceCommands } from './cli/references/register-reference-commands.ts'
import { registerSandboxCommands } from './cli/sandbox/register-sandbox-commands.ts'
import { registerServiceCommands } from './cli/service/register-service-commands.ts'
import { addEmbeddedSandboxOption, addExample, addSandboxPortOption, addStoreOptions } from './cli/shared-options.ts'
import { UsageError } from './cli/usage-error.ts'
import { registerWebhookCommands } from './cli/webhooks/register-webhook-commands.ts'
import { registerWhyCommand } from './cli/why/register-why-command.ts'
import { ConfigError } from './config/config-error.ts'
import { version } from './operations/version.ts'

const serveCommand = () => import('./cli/serve-command.ts')
const demoCommand = () => import('./cli/demo/demo-command.ts')

/** The exit code of an invalid command line or configuration. */
const INVALID_USAGE = 2
/** The time for messages to reach their reader before the process ends. */
const EXIT_DELAY_MS = 1_000

exitWithLauncher()

const program = new Command('forecourt')
  .description('A storefront API in front of the systems that a merchant already has.')
  .version(version)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : INVALID_USAGE))

registerEnvironmentFileOption(program)
registerInitCommand(program)

addEmbeddedSandboxOption(program.command('start'))
  .description(`serve ${DEFAULT_CONFIG_FILE} if it exists, else the demo`)
  .action(async (options) =>
    existsSync(DEFAULT_CONFIG_FILE)
      ? (await serveCommand()).runServe({ config: DEFAULT_CONFIG_FILE, ...options })
      : (await demoCommand()).runDemo(options),
  )

const serve = addEmbeddedSandboxOption(program.command('serve'))
  .description('serve the merchants of a configuration file')
  .option('-c, --config <file>', 'the configuration file', DEFAULT_CONFIG_FILE)
  .action(createLazyAction(serveCommand, 'runServe'))
addExample(serve, 'serve --config /etc/forecourt/forecourt.yaml')

program
  .command('reload')
  .description('reload the configuration of a running server with workers, without losing a request')
  .option('-c, --config <file>', 'the configuration file', DEFAULT_CONFIG_FILE)
  .action(createLazyAction(() => import('./cli/reload-command.ts'), 'runReload'))

addSandboxPortOption(program.command('demo'))
  .description('serve a demo merchant with the embedded back office')
  .action(createLazyAction(demoCommand, 'runDemo'))

registerSandboxCommands(program)
registerWebhookCommands(program)
registerFitmentCommands(program)
registerReferenceCommands(program)
registerMirrorCommands(program)
registerKeyCommands(program)
registerOperatorCommands(program)
registerServiceCommands(program)
registerWhyCommand(program)
registerLogsCommand(program)
registerMaintenanceCommands(program)

addStoreOptions(program.command('migrate'))
  .description('apply pending migrations to the store')
  .option('--check', 'only list the missing migrations, and exit with 1 if there are any')
  .action(createLazyAction(() => import('./cli/migrate-command.ts'), 'runMigrate'))

const backup = addStoreOptions(program.command('backup'))
  .description('copy the SQLite store to a new file, even while a server is running')
  .requiredOption('--to <file>', 'the path of the copy; the file must not exist')
  .action(createLazyAction(() => import('./cli/backup-command.ts'), 'runBackup'))
addExample(backup, 'backup --to /backups/forecourt-2026-05-01.db')

const drill = addStoreOptions(program.command('restore-drill'))
  .argument('<backup>', 'a file that `forecourt backup` or `pg_dump -Fc` wrote')
  .description('restore a backup beside the running shop, start a server on it, and report what it contains')
  .option('--database <url>', 'the URL of an empty PostgreSQL database, for a file that pg_dump wrote')
  .action(createLazyAction(() => import('./cli/restore-drill/restore-drill-command.ts'), 'runRestoreDrill'))
addExample(drill, 'restore-drill /backups/forecourt-2026-05-01.db')

registerDoctorCommand(program)

const config = program.command('config').description('work with the configuration file')
const check = config
  .command('check')
  .argument('[file]', `the configuration file (default: ${DEFAULT_CONFIG_FILE} if it exists, else the demo’s settings)`)
  .option('-c, --config <file>', 'the configuration file, as an option instead of an argument')
  .description('report every mistake in a configuration file (exit code 2) and every warning (exit code 1)')
  .action(async (file, options) =>
    (await import('./cli/check-config-command.ts')).runConfigCheck(file ?? options.config),
  )
addExample(check, 'config check forecourt.yaml')

registerHelpCommands(program)

try {
  await program.parseAsync()
} catch (error) {
  const cause = firstErrorOf(error)
  const isExpected = cause instanceof ConfigError || cause instanceof UsageError
  printError(isExpected ? cause.message : `forecourt: ${cause instanceof Error ? cause.message : cause}`)
  process.exitCode = isExpected ? INVALID_USAGE : 1
  // Whatever a failed command left open must not keep the process running.
  setTimeout(() => process.exit(), EXIT_DELAY_MS).unref()
}

/** Returns the error that came first, when disposing failed after it. */
function firstErrorOf(error: unknown): unknown {
  return error instanceof SuppressedError ? firstErrorOf(error.suppressed) : error
}
