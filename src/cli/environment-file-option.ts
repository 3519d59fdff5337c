import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { loadEnvironmentFile } from '../config/environment/environment-file.ts'
import { isWorker } from '../runtime/workers/primary-link.ts'
import { DEFAULT_CONFIG_FILE, DEFAULT_ENVIRONMENT_FILE } from './default-config-file.ts'
import { UsageError } from './usage-error.ts'

/** Declares --env-file for all commands. Without it, forecourt.env beside the configuration file is read, if it exists. */
export function registerEnvironmentFileOption(program: Command): void {
  program
    .option(
      '--env-file <file>',
      `read environment variables from this file; variables that are already set take precedence (default: ${DEFAULT_ENVIRONMENT_FILE} beside the configuration file, if it exists)`,
    )
    .hook('preAction', (_, command) => {
      // A worker has the environment with which its configuration was validated, whatever the file contains by now.
      if (command.name() !== 'init' && !isWorker()) loadFile(program.opts().envFile, command)
    })
}

function loadFile(named: string | undefined, command: Command): void {
  const file = named ?? join(dirname(configFileOf(command)), DEFAULT_ENVIRONMENT_FILE)
  if (named === undefined && !existsSync(file)) return
  try {
    loadEnvironmentFile(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A supervisor may have read it as another account, and have set the variables.
    if (named === undefined && code === 'EACCES') return
    throw new UsageError(`The environment file ${file} cannot be read (${code}). Give another one with --env-file`)
  }
}

/** `config check` takes the file as an argument too. */
function configFileOf(command: Command): string {
  const argument = command.name() === 'check' ? command.args[0] : undefined
  return argument ?? command.opts().config ?? DEFAULT_CONFIG_FILE
}
