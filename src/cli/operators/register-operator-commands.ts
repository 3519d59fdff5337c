import type { Command } from 'commander'
import { lazily } from '../lazy-action.ts'

const accounts = () => import('./operator-commands.ts')
const changes = () => import('./operator-change-commands.ts')

/** `forecourt operators …`: who may sign in to the operations pages. */
export function operatorCommands(program: Command, withStore: (command: Command) => Command): void {
  const operators = program
    .command('operators')
    .description('accounts for the operations pages: work on the store of a running server too')
  const withPassword = (command: Command) =>
    withStore(command)
      .option('--password-stdin', 'read the password from standard input instead of asking for it twice')
      .option('--generate', 'make one, and print it once')

  withPassword(operators.command('add <name>'))
    .description('make an account')
    .requiredOption('--role <role>', 'support (reads) or operator (may act)')
    .action(lazily(accounts, 'add'))
  withStore(operators.command('list')).description('all accounts').action(lazily(accounts, 'list'))
  withStore(operators.command('disable <name>'))
    .description('end its sessions, and let it sign in no more')
    .action(lazily(changes, 'disable'))
  withStore(operators.command('enable <name>')).description('let it sign in again').action(lazily(changes, 'enable'))
  withPassword(operators.command('password <name>'))
    .description('give it another password; ends its sessions')
    .action(lazily(changes, 'password'))
  withStore(operators.command('role <name> <role>')).description('support or operator').action(lazily(changes, 'role'))
}
