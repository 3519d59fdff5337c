import { createPasswords } from '../../commands/password-hasher.ts'
import { addOperator, listOperators, OPERATOR_NAME } from '../../storage/operators/operator-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { note } from '../command-audit.ts'
import { configured } from '../command-config.ts'
import { type PasswordOptions, passwordOf } from './read-operator-password.ts'
import { roleOf, type StoreOptions, shown, told } from './operator-records.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, withStore } from '../with-store.ts'

export async function add(name: string, options: StoreOptions & PasswordOptions & { role: string }): Promise<void> {
  if (!OPERATOR_NAME.test(name))
    throw new UsageError(`A name has small letters, digits and . _ @ - (64 at the most), not "${name}"`)
  const role = roleOf(options.role)
  const { password, generated } = await passwordOf(options)
  const passwordHash = await createPasswords().hash(password)
  const record = await withStore(configured(options.config).store, (db) =>
    transact(db, async (all) => {
      const added = await addOperator(all, { name, role, passwordHash }, Date.now())
      if (added) await note(all, 'operator.add', { name, role })
      return added
    }),
  )
  if (!record)
    throw new UsageError(
      `There is an operator ${name}. To change its password: npx forecourt operators password ${name}`,
    )
  if (options.json) printJson({ ...shown(record), ...(generated && { password }) })
  else print(`${name} may sign in now, as ${role}.${generated ? told(password) : ''}`)
}

export async function list(options: StoreOptions): Promise<void> {
  const { store } = configured(options.config)
  const operators = hasStore(store) ? (await withStore(store, listOperators)).map(shown) : []
  if (options.json) return printJson(operators)
  if (operators.length === 0) return print('No operators yet. Make one with: npx forecourt operators add --help')
  const rows = operators.map(({ name, role, disabled_at, last_signed_in_at, created_at }) => [
    ...[name, role, created_at, last_signed_in_at ?? 'never', disabled_at ? `disabled ${disabled_at}` : 'may sign in'],
  ])
  printTable(['NAME', 'ROLE', 'CREATED', 'LAST SIGN-IN', 'STATE'], rows)
}
