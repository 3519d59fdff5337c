import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'

const accounts = () => import('./operator-commands.ts')
const changes = () => import('./operator-change-commands.ts')

/** `forecourt operators …`: who may sign in to the operations pages. */
export function registerOperatorCommands(program: Command, withStore: (command: Command) => Command): void {
  const operators = program
    .command('operators')
    .description('accounts for the operations pages: work on the store of a running server too')
  const withPassword = (command: Command) =>
    withStore(command)
      .option('--password-stdin', 'read the password from standard input instead of prompting for it twice')
      .option('--generate', 'make one, and print it once')

  withPassword(operators.command('add <name>'))
    .description('make an account')
    .requiredOption('--role <role>', 'support (reads) or operator (may act)')
    .action(createLazyAction(accounts, 'runOperatorsAdd'))
  withStore(operators.command('list'))
    .description('all accounts')
    .action(createLazyAction(accounts, 'runOperatorsList'))
  withStore(operators.command('disable <name>'))
    .description('end its sessions, and let it sign in no more')
    .action(createLazyAction(changes, 'runOperatorsDisable'))
  withStore(operators.command('enable <name>'))
    .description('let it sign in again')
    .action(createLazyAction(changes, 'runOperatorsEnable'))
  withPassword(operators.command('password <name>'))
    .description('give it another password; ends its sessions')
    .action(createLazyAction(changes, 'runOperatorsPassword'))
  withStore(operators.command('role <name> <role>'))
    .description('support or operator')
    .action(createLazyAction(changes, 'runOperatorsRole'))
}
