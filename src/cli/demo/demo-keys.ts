import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../storage/database.ts'
import type { ApiKeyKind } from '../../storage/keys/api-key-format.ts'
import { findApiKey, isApiKeyUsable, issueApiKey } from '../../storage/keys/api-keys.ts'
import { fileExists } from '../file-exists.ts'

export type DemoKeys = Record<ApiKeyKind, string>

/**
 * Returns the demo merchant's two sandbox keys, the same at every start. They are the only keys that are stored in plain text, in a file that only
 * this account can read: they give access only to made-up products.
 */
export async function ensureDemoKeys(db: Database, dataDirectory: string): Promise<DemoKeys> {
  const stored = readDemoKeys(dataDirectory)
  const keys = {
    publishable: await ensureUsableKey(db, stored.publishable, 'publishable'),
    secret: await ensureUsableKey(db, stored.secret, 'secret'),
  }
  writeFileSync(keyFile(dataDirectory), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  return keys
}

const keyFile = (dataDirectory: string) => join(dataDirectory, 'demo-keys.json')

/** Returns the keys of the last start; none if the demo never ran here. Throws UsageError when this account may not read them. */
export function readDemoKeys(dataDirectory: string): Partial<DemoKeys> {
  const file = keyFile(dataDirectory)
  if (!fileExists(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<DemoKeys>
  } catch {
    return {}
  }
}

async function ensureUsableKey(db: Database, stored: string | undefined, kind: ApiKeyKind): Promise<string> {
  const record = stored === undefined ? null : await findApiKey(db, stored)
  if (stored !== undefined && record && isApiKeyUsable(record, new Date().toISOString())) return stored
  const { key } = await issueApiKey(db, {
    merchant: 'demo',
    kind,
    mode: 'sandbox',
    origins: ['*'],
    rate: 6_000,
    // One developer's browser is all of its traffic.
    ratePerClient: 6_000,
    label: 'demo',
  })
  return key
}
