import { dirname, join, resolve } from 'node:path'
import { setVariables } from '../../config/environment/process-environment.ts'
import { isPostgres } from '../../config/store-address.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { forecourtCommand, quoteForShell } from '../../installed-command-line.ts'
import { migrateNewStore } from '../../storage/migrate-store.ts'
import type { Mode } from '../../tenant.ts'
import { runConfigCheck } from '../check-config-command.ts'
import { DEFAULT_CONFIG_FILE, DEFAULT_ENVIRONMENT_FILE } from '../default-config-file.ts'
import { runDoctor } from '../doctor/doctor-command.ts'
import { runKeysIssue } from '../keys/key-commands.ts'
import { print, printError } from '../print.ts'
import { type AnswerOptions, collectAnswers } from './collect-answers.ts'
import { listSecretVariables, renderEnvironmentFile } from './environment-file.ts'
import type { InitAnswers } from './init-answers.ts'
import { readBackOfficeCurrency } from './read-back-office-currency.ts'
import { renderConfigFile } from './render-config-file.ts'
import { requireNewFiles, writeNewFiles } from './write-new-files.ts'

export interface InitCommandOptions extends AnswerOptions {
  config: string
  yes?: boolean
  force?: boolean
  check: boolean
  doctor: boolean
  keys: boolean
  liveKeys?: boolean
}

const DOCTOR_SAMPLE = '20'

/** Asks for what a configuration needs, writes it, checks it and issues the first keys. Nothing is written before the last answer. */
export async function runInit(options: InitCommandOptions): Promise<void> {
  const file = options.config
  const environmentFile = join(dirname(file), DEFAULT_ENVIRONMENT_FILE)
  if (!options.force) requireNewFiles([file, environmentFile])
  const answers = await collectAnswers(options, {
    isQuiet: options.yes === true,
    readCurrency: options.doctor ? readBackOfficeCurrency : async () => undefined,
  })
  writeFiles(answers, { file, environmentFile, isForced: options.force === true })
  // The answers take precedence over the environment.
  setVariables(listSecretVariables(answers))
  if (options.check) runConfigCheck(file)
  if (options.doctor && answers.backOffice !== 'sandbox') await examine(answers, file)
  if (options.keys) await issueFirstKeys(answers, file, options.liveKeys === true)
  printNextCommands(answers, file)
}

function writeFiles(
  answers: InitAnswers,
  { file, environmentFile, isForced }: { file: string; environmentFile: string; isForced: boolean },
): void {
  const secrets = renderEnvironmentFile(listSecretVariables(answers))
  makeFolder(dirname(resolve(file)), 0o755)
  writeNewFiles(
    [
      { path: environmentFile, text: secrets, mode: 0o600 },
      { path: file, text: renderConfigFile(answers), mode: 0o644 },
    ],
    isForced,
  )
  print(`Wrote ${file} and ${environmentFile} (secrets, readable by this account only)`)
}

/** Calls the systems once. A problem of a system does not make the files wrong. */
async function examine({ merchant }: InitAnswers, config: string): Promise<void> {
  try {
    await runDoctor({ config, merchant, mode: 'live', sample: DOCTOR_SAMPLE })
  } catch (error) {
    printError((error as Error).message)
    process.exitCode = 1
  }
  if (process.exitCode === 1) print('The files are kept. Correct the system or the files, and run the doctor again.')
}

const backOfficeNames = { rest: 'your systems', tryton: 'your Tryton', odoo: 'your Odoo' } as const

/** Creates the tables of a new PostgreSQL store, and issues keys. If that fails, the files are kept. */
async function issueFirstKeys(answers: InitAnswers, config: string, withLive: boolean): Promise<void> {
  try {
    if (isPostgres(answers.store) && (await migrateNewStore(answers.store))) print('Created the tables of the store.')
    await issueKeys(answers, config, withLive)
  } catch (error) {
    printError((error as Error).message)
    process.exitCode = 1
    const migrate = isPostgres(answers.store)
      ? `, run ${forecourtCommand} migrate${toConfigOption(config)} as the role that owns the tables (docs/store.md)`
      : ''
    print(
      `\nThe files are kept, and no keys were issued. When the store works${migrate}, run the second command below.`,
    )
  }
}

async function issueKeys({ merchant, backOffice }: InitAnswers, config: string, withLive: boolean): Promise<void> {
  for (const mode of withLive ? (['sandbox', 'live'] as const) : (['sandbox'] as const)) {
    if (backOffice !== 'sandbox') print(`\n${describeKeys(mode, backOfficeNames[backOffice])}`)
    for (const kind of ['publishable', 'secret']) {
      print()
      await runKeysIssue({ config, merchant, mode, kind })
    }
  }
}

const describeKeys = (mode: Mode, backOffice: string): string =>
  mode === 'live'
    ? `The live keys (svc_live_…) read ${backOffice}:`
    : `The sandbox keys (svc_test_…) read the embedded back office, which has sample products. They do not read ${backOffice}:`

const toConfigOption = (file: string): string =>
  file === DEFAULT_CONFIG_FILE ? '' : ` --config ${quoteForShell(file)}`

function printNextCommands({ merchant, backOffice }: InitAnswers, file: string): void {
  const config = toConfigOption(file)
  const mode = backOffice === 'sandbox' ? 'sandbox' : 'live'
  print(`
Next:
  ${forecourtCommand} serve${config}
  ${forecourtCommand} keys issue${config} --merchant ${merchant} --kind publishable --mode ${mode} --origins https://shop.example${backOffice === 'sandbox' ? '' : `   # reads ${backOfficeNames[backOffice]}`}
  ${forecourtCommand} operators add${config} <name> --role operator`)
}
