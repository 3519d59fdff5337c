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

/** An account for the demo's operations pages, the same at every start. Its password alone is kept readable, in a file of this account. */
export async function ensureDemoOperator(db: Database, dataDirectory: string): Promise<DemoOperator> {
  const file = join(dataDirectory, 'demo-operator.json')
  const password = keptPassword(file) ?? generateOperatorPassword()
  await mayEnter(db, password)
  writeFileSync(file, `${JSON.stringify({ name: NAME, password }, null, 2)}\n`, { mode: 0o600 })
  return { name: NAME, password }
}

function keptPassword(file: string): string | null {
  try {
    const { password } = JSON.parse(readFileSync(file, 'utf8')) as Partial<DemoOperator>
    return typeof password === 'string' && password !== '' ? password : null
  } catch {
    return null
  }
}

/** Another start may have made it, of other data. */
async function mayEnter(db: Database, password: string): Promise<void> {
  const passwords = createPasswordHasher()
  const known = await findOperator(db, NAME)
  if (!known) {
    await addOperator(db, { name: NAME, role: 'operator', passwordHash: await passwords.hash(password) }, Date.now())
    return
  }
  if (!(await passwords.matches(password, known.password_hash)))
    await updateOperatorAndEndSessions(db, known.operator_id, { password_hash: await passwords.hash(password) })
  if (known.disabled_at) await updateOperator(db, known.operator_id, { disabled_at: null })
}
