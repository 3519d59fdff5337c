import { createPasswords } from '../commands/passwords.ts'
import { addOperator, listOperators, OPERATOR_NAME } from '../storage/operators.ts'
import { type PasswordOptions, passwordOf } from './operator-password.ts'
import { note, roleOf, type StoreOptions, shown, told, withStore } from './operator-store.ts'
import { print, printJson } from './print.ts'
import { printTable } from './table.ts'
import { UsageError } from './usage-error.ts'

export async function add(name: string, options: StoreOptions & PasswordOptions & { role: string }): Promise<void> {
  if (!OPERATOR_NAME.test(name))
    throw new UsageError(`A name has small letters, digits and . _ @ - (64 at the most), not "${name}"`)
  const role = roleOf(options.role)
  const { password, generated } = await passwordOf(options)
  const passwordHash = await createPasswords().hash(password)
  await withStore(options, async (db) => {
    const record = await addOperator(db, { name, role, passwordHash }, Date.now())
    if (!record)
      throw new UsageError(
        `There is an operator ${name}. To change its password: npx forecourt operators password ${name}`,
      )
    await note(db, 'operator.add', { name, role })
    if (options.json) return printJson({ ...shown(record), ...(generated && { password }) })
    print(`${name} may sign in now, as ${role}.${generated ? told(password) : ''}`)
  })
}

export async function list(options: StoreOptions): Promise<void> {
  await withStore(options, async (db) => {
    const operators = (await listOperators(db)).map(shown)
    if (options.json) return printJson(operators)
    if (operators.length === 0) return print('No operators yet. Make one with: npx forecourt operators add --help')
    const rows = operators.map(({ name, role, disabled_at, last_signed_in_at, created_at }) => [
      ...[
        name,
        role,
        created_at,
        last_signed_in_at ?? 'never',
        disabled_at ? `disabled ${disabled_at}` : 'may sign in',
      ],
    ])
    printTable(['NAME', 'ROLE', 'CREATED', 'LAST SIGN-IN', 'STATE'], rows)
  })
}
