import { createPasswordHasher } from '../../commands/password-hasher.ts'
import type { Database } from '../../storage/database.ts'
import {
  type OperatorRecord,
  updateOperator,
  updateOperatorAndEndSessions,
} from '../../storage/operators/operator-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { auditCommand } from '../command-audit.ts'
import { print, printJson } from '../print.ts'
import {
  formatGeneratedPassword,
  type OperatorStoreOptions,
  parseRole,
  requireOperator,
  withConfiguredStore,
  withoutPasswordHash,
} from './operator-records.ts'
import { type OperatorPasswordOptions, readOperatorPassword } from './read-operator-password.ts'

export const runOperatorsDisable = (name: string, options: OperatorStoreOptions) =>
  changing(name, options, 'operator.disable', async (db, { operator_id, disabled_at }) => {
    await updateOperatorAndEndSessions(db, operator_id, { disabled_at: disabled_at ?? new Date().toISOString() })
    return `${name} is disabled, and signed out everywhere.`
  })

export const runOperatorsEnable = (name: string, options: OperatorStoreOptions) =>
  changing(name, options, 'operator.enable', async (db, { operator_id }) => {
    await updateOperator(db, operator_id, { disabled_at: null })
    return `${name} may sign in again.`
  })

export async function runOperatorsRole(name: string, given: string, options: OperatorStoreOptions): Promise<void> {
  const wanted = parseRole(given)
  await changing(
    name,
    options,
    'operator.role',
    async (db, { operator_id }) => {
      await updateOperator(db, operator_id, { role: wanted })
      return `${name} is ${wanted} now, from the next request on.`
    },
    { role: wanted },
  )
}

export async function runOperatorsPassword(
  name: string,
  options: OperatorStoreOptions & OperatorPasswordOptions,
): Promise<void> {
  await withConfiguredStore(options, async (db) => void (await requireOperator(db, name)))
  const { password: chosen, generated } = await readOperatorPassword(options)
  const password_hash = await createPasswordHasher().hash(chosen)
  await changing(name, { ...options, json: false }, 'operator.password', async (db, { operator_id }) => {
    await updateOperatorAndEndSessions(db, operator_id, { password_hash })
    if (options.json) return JSON.stringify({ name, ...(generated && { password: chosen }) }, null, 2)
    return `${name} has another password now, and is signed out everywhere.${generated ? formatGeneratedPassword(chosen) : ''}`
  })
}

async function changing(
  name: string,
  options: OperatorStoreOptions,
  action: string,
  change: (db: Database, record: OperatorRecord) => Promise<string>,
  more: object = {},
): Promise<void> {
  const { said, record } = await withConfiguredStore(options, (db) =>
    transact(db, async (all) => {
      const said = await change(all, await requireOperator(all, name))
      await auditCommand(all, action, { name, ...more })
      return { said, record: await requireOperator(all, name) }
    }),
  )
  if (options.json) printJson(withoutPasswordHash(record))
  else print(said)
}
