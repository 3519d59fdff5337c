import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPasswordHasher } from '../../commands/password-hasher.ts'
import type { Database } from '../../storage/database.ts'
import {
  addOperator,
  findOperator,
  updateOperator,
  updateOperatorAndEndSessions,
} from '../../storage/operators/operator-accounts.ts'
import { generateOperatorPassword } from '../operators/read-operator-password.ts'

export interface DemoOperator {
  name: string
  password: string
}

const NAME = 'demo'

/** Returns an account for the demo's console, the same at every start. Its password is stored in plain text, in a file that only this account can read. */
export async function ensureDemoOperator(db: Database, dataDirectory: string): Promise<DemoOperator> {
  const file = join(dataDirectory, 'demo-operator.json')
  const operator = { name: NAME, password: readStoredPassword(file) ?? generateOperatorPassword() }
  await ensureCanSignIn(db, operator)
  writeFileSync(file, `${JSON.stringify(operator, null, 2)}\n`, { mode: 0o600 })
  return operator
}

function readStoredPassword(file: string): string | null {
  try {
    const { password } = JSON.parse(readFileSync(file, 'utf8')) as Partial<DemoOperator>
    return typeof password === 'string' && password !== '' ? password : null
  } catch {
    return null
  }
}

/** Adds the account, or gives an existing one this password: the store may be older or newer than the file. */
async function ensureCanSignIn(db: Database, { name, password }: DemoOperator): Promise<void> {
  const passwords = createPasswordHasher()
  const record = await findOperator(db, name)
  if (!record) {
    await addOperator(db, { name, role: 'operator', passwordHash: await passwords.hash(password) }, Date.now())
    return
  }
  if (!(await passwords.matches(password, record.password_hash)))
    await updateOperatorAndEndSessions(db, record.operator_id, { password_hash: await passwords.hash(password) })
  if (record.disabled_at) await updateOperator(db, record.operator_id, { disabled_at: null })
}
