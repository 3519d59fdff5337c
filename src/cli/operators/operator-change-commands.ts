import { createPasswords } from '../../commands/password-hasher.ts'
import type { Database } from '../../storage/database.ts'
import { changeOperator, lockOut, type OperatorRecord } from '../../storage/operators/operator-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { note } from '../command-audit.ts'
import { type PasswordOptions, passwordOf } from './read-operator-password.ts'
import { inStore, known, roleOf, type StoreOptions, shown, told } from './operator-records.ts'
import { print, printJson } from '../print.ts'

export const disable = (name: string, options: StoreOptions) =>
  changing(name, options, 'operator.disable', async (db, { operator_id, disabled_at }) => {
    await lockOut(db, operator_id, { disabled_at: disabled_at ?? new Date().toISOString() })
    return `${name} is disabled, and signed out everywhere.`
  })

export const enable = (name: string, options: StoreOptions) =>
  changing(name, options, 'operator.enable', async (db, { operator_id }) => {
    await changeOperator(db, operator_id, { disabled_at: null })
    return `${name} may sign in again.`
  })

export async function role(name: string, given: string, options: StoreOptions): Promise<void> {
  const wanted = roleOf(given)
  await changing(
    name,
    options,
    'operator.role',
    async (db, { operator_id }) => {
      await changeOperator(db, operator_id, { role: wanted })
      return `${name} is ${wanted} now, from the next request on.`
    },
    { role: wanted },
  )
}

export async function password(name: string, options: StoreOptions & PasswordOptions): Promise<void> {
  await inStore(options, async (db) => void (await known(db, name)))
  const { password: chosen, generated } = await passwordOf(options)
  const password_hash = await createPasswords().hash(chosen)
  await changing(name, { ...options, json: false }, 'operator.password', async (db, { operator_id }) => {
    await lockOut(db, operator_id, { password_hash })
    if (options.json) return JSON.stringify({ name, ...(generated && { password: chosen }) }, null, 2)
    return `${name} has another password now, and is signed out everywhere.${generated ? told(chosen) : ''}`
  })
}

async function changing(
  name: string,
  options: StoreOptions,
  action: string,
  change: (db: Database, record: OperatorRecord) => Promise<string>,
  more: object = {},
): Promise<void> {
  const { said, record } = await inStore(options, (db) =>
    transact(db, async (all) => {
      const said = await change(all, await known(all, name))
      await note(all, action, { name, ...more })
      return { said, record: await known(all, name) }
    }),
  )
  if (options.json) printJson(shown(record))
  else print(said)
}
