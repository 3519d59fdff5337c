import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions } from '../shared-options.ts'

const operatorCommands = () => import('./operator-commands.ts')

/** Declares `forecourt operators …`. */
export function registerOperatorCommands(program: Command): void {
  const operators = program
    .command('operators')
    .description('manage the operator accounts in the store, even while a server is running')
  const addPasswordOptions = (command: Command) =>
    addStoreOptions(command)
      .option('--password-stdin', 'read the password from standard input instead of prompting for it twice')
      .option('--generate', 'generate a password and print it once')

  const add = addPasswordOptions(operators.command('add <name>'))
    .description('add an account')
    .requiredOption('--role <role>', 'support (can read) or operator (can also act)')
    .action(createLazyAction(operatorCommands, 'runOperatorsAdd'))
  addExample(add, 'operators add anna --role support', 'operators add ben --role operator --generate')

  addStoreOptions(operators.command('list'))
    .description('list all accounts')
    .action(createLazyAction(operatorCommands, 'runOperatorsList'))
  addStoreOptions(operators.command('disable <name>'))
    .description('end the sessions of an account and refuse its sign-ins')
    .action(createLazyAction(operatorCommands, 'runOperatorsDisable'))
  addStoreOptions(operators.command('enable <name>'))
    .description('let a disabled account sign in again')
    .action(createLazyAction(operatorCommands, 'runOperatorsEnable'))

  const password = addPasswordOptions(operators.command('password <name>'))
    .description('change the password of an account and end its sessions')
    .action(createLazyAction(operatorCommands, 'runOperatorsPassword'))
  addExample(password, 'operators password anna --generate')

  const role = addStoreOptions(operators.command('role'))
    .argument('<name>', 'the name of the account')
    .argument('<role>', 'support (can read) or operator (can also act)')
    .description('change the role of an account')
    .action(createLazyAction(operatorCommands, 'runOperatorsRole'))
  addExample(role, 'operators role anna operator')
}
