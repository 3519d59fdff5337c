import { createPasswordHasher } from '../../commands/password-hasher.ts'
import { addOperator, listOperators, OPERATOR_NAME_PATTERN } from '../../storage/operators/operator-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, withStore } from '../with-store.ts'
import {
  formatGeneratedPassword,
  type OperatorStoreOptions,
  parseRole,
  withoutPasswordHash,
} from './operator-records.ts'
import { type OperatorPasswordOptions, readOperatorPassword } from './read-operator-password.ts'

export async function runOperatorsAdd(
  name: string,
  options: OperatorStoreOptions & OperatorPasswordOptions & { role: string },
): Promise<void> {
  if (!OPERATOR_NAME_PATTERN.test(name))
    throw new UsageError(`A name has small letters, digits and . _ @ - (64 at the most), not "${name}"`)
  const role = parseRole(options.role)
  const { password, generated } = await readOperatorPassword(options)
  const passwordHash = await createPasswordHasher().hash(password)
  const record = await withStore(readCommandConfig(options.config).store, (db) =>
    transact(db, async (all) => {
      const added = await addOperator(all, { name, role, passwordHash }, Date.now())
      if (added) await auditCommand(all, 'operator.add', { name, role })
      return added
    }),
  )
  if (!record)
    throw new UsageError(
      `There is an operator ${name}. To change its password: npx forecourt operators password ${name}`,
    )
  if (options.json) printJson({ ...withoutPasswordHash(record), ...(generated && { password }) })
  else print(`${name} may sign in now, as ${role}.${generated ? formatGeneratedPassword(password) : ''}`)
}

export async function runOperatorsList(options: OperatorStoreOptions): Promise<void> {
  const { store } = readCommandConfig(options.config)
  const operators = hasStore(store) ? (await withStore(store, listOperators)).map(withoutPasswordHash) : []
  if (options.json) return printJson(operators)
  if (operators.length === 0) return print('No operators yet. Make one with: npx forecourt operators add --help')
  const rows = operators.map(({ name, role, disabled_at, last_signed_in_at, created_at }) => [
    ...[name, role, created_at, last_signed_in_at ?? 'never', disabled_at ? `disabled ${disabled_at}` : 'may sign in'],
  ])
  printTable(['NAME', 'ROLE', 'CREATED', 'LAST SIGN-IN', 'STATE'], rows)
}
