import { createPasswordHasher } from '../../commands/password-hasher.ts'
import { forecourtCommand } from '../../installed-command-line.ts'
import type { Database } from '../../storage/database.ts'
import {
  addOperator,
  findOperator,
  listOperators,
  OPERATOR_NAME_PATTERN,
  type OperatorRecord,
  operatorRoles,
  updateOperator,
  updateOperatorAndEndSessions,
} from '../../storage/operators/operator-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig } from '../command-config.ts'
import { parseChoiceOption } from '../parse-option.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { formatStore, listStoreWarnings, withReportedStore } from '../with-reported-store.ts'
import { hasStore, type StoreCommandOptions, withExistingStore, withStore } from '../with-store.ts'
import { type OperatorPasswordOptions, readOperatorPassword } from './read-operator-password.ts'

export async function runOperatorsAdd(
  name: string,
  options: StoreCommandOptions & OperatorPasswordOptions & { role: string },
): Promise<void> {
  if (!OPERATOR_NAME_PATTERN.test(name))
    throw new UsageError(`A name has 1 to 64 lowercase letters, digits and . _ @ -, not "${name}"`)
  const role = parseChoiceOption('--role', options.role, operatorRoles)
  const { password, isGenerated } = await readOperatorPassword(options)
  const passwordHash = await createPasswordHasher().hash(password)
  const { result: record, store } = await withReportedStore(readCommandConfig(options.config), (db) =>
    transact(db, async (transaction) => {
      const added = await addOperator(transaction, { name, role, passwordHash }, Date.now())
      if (added) await auditCommand(transaction, 'operator.add', { name, role })
      return added
    }),
  )
  if (!record)
    throw new UsageError(
      `Operator ${name} already exists. To change its password: ${forecourtCommand} operators password ${name}`,
    )
  const warnings = listStoreWarnings(store, 'does not know this operator')
  if (options.json) {
    const shown = withoutPasswordHash(record)
    return printJson({ ...shown, ...(isGenerated && { password }), store: store.address, warnings })
  }
  print(`${name} can now sign in as ${role}.${isGenerated ? formatGeneratedPassword(password) : ''}`)
  for (const line of [formatStore(store), ...warnings]) print(line)
}

export async function runOperatorsList(options: StoreCommandOptions): Promise<void> {
  const { store } = readCommandConfig(options.config)
  const operators = hasStore(store) ? (await withStore(store, listOperators)).map(withoutPasswordHash) : []
  if (options.json) return printJson(operators)
  if (operators.length === 0) return print(`No operators yet. Add one with: ${forecourtCommand} operators add --help`)
  const rows = operators.map(({ name, role, disabled_at, last_signed_in_at, created_at }) => {
    const state = disabled_at ? `disabled ${disabled_at}` : 'enabled'
    return [name, role, created_at, last_signed_in_at ?? 'never', state]
  })
  printTable(['NAME', 'ROLE', 'CREATED', 'LAST SIGN-IN', 'STATE'], rows)
}

export const runOperatorsDisable = (name: string, options: StoreCommandOptions) =>
  changeOperator(name, options, {
    action: 'operator.disable',
    message: `${name} is disabled and signed out everywhere.`,
    change: (db, { operator_id, disabled_at }) =>
      updateOperatorAndEndSessions(db, operator_id, { disabled_at: disabled_at ?? new Date().toISOString() }),
  })

export const runOperatorsEnable = (name: string, options: StoreCommandOptions) =>
  changeOperator(name, options, {
    action: 'operator.enable',
    message: `${name} can sign in again.`,
    change: (db, { operator_id }) => updateOperator(db, operator_id, { disabled_at: null }),
  })

export async function runOperatorsRole(name: string, roleName: string, options: StoreCommandOptions): Promise<void> {
  const role = parseChoiceOption('<role>', roleName, operatorRoles)
  await changeOperator(name, options, {
    action: 'operator.role',
    auditDetails: { role },
    message: `${name} has the role ${role} from the next request on.`,
    change: (db, { operator_id }) => updateOperator(db, operator_id, { role }),
  })
}

export async function runOperatorsPassword(
  name: string,
  options: StoreCommandOptions & OperatorPasswordOptions,
): Promise<void> {
  // Before the prompt: nobody types a password for an operator that does not exist.
  await withExistingStore(readCommandConfig(options.config).store, (db) => requireOperator(db, name))
  const { password, isGenerated } = await readOperatorPassword(options)
  const password_hash = await createPasswordHasher().hash(password)
  const text = `${name} has a new password and is signed out everywhere.${isGenerated ? formatGeneratedPassword(password) : ''}`
  const json = JSON.stringify({ name, ...(isGenerated && { password }) }, null, 2)
  await changeOperator(
    name,
    { ...options, json: false },
    {
      action: 'operator.password',
      message: options.json ? json : text,
      change: (db, { operator_id }) => updateOperatorAndEndSessions(db, operator_id, { password_hash }),
    },
  )
}

interface OperatorChange {
  /** The name of the change in the audit log. */
  action: string
  auditDetails?: object
  message: string
  change(db: Database, record: OperatorRecord): Promise<unknown>
}

/** Changes an operator and the audit log in one transaction, then prints the message, or with --json the changed operator. */
async function changeOperator(
  name: string,
  options: StoreCommandOptions,
  { action, auditDetails, message, change }: OperatorChange,
): Promise<void> {
  const { store } = readCommandConfig(options.config)
  const record = await withExistingStore(store, (db) =>
    transact(db, async (transaction) => {
      await change(transaction, await requireOperator(transaction, name))
      await auditCommand(transaction, action, { name, ...auditDetails })
      return requireOperator(transaction, name)
    }),
  )
  if (options.json) printJson(withoutPasswordHash(record))
  else print(message)
}

async function requireOperator(db: Database, name: string): Promise<OperatorRecord> {
  const record = await findOperator(db, name)
  if (!record) throw new UsageError(`There is no operator "${name}". See: ${forecourtCommand} operators list`)
  return record
}

const withoutPasswordHash = ({ password_hash: _, ...record }: OperatorRecord) => record

const formatGeneratedPassword = (password: string) =>
  `\n\n  ${password}\n\nStore the password now: it is not shown again.`
