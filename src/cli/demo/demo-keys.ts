import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../storage/database.ts'
import type { ApiKeyKind } from '../../storage/keys/api-key-format.ts'
import { findApiKey, isApiKeyUsable, issueApiKey } from '../../storage/keys/api-keys.ts'

export type DemoKeys = Record<ApiKeyKind, string>

/**
 * The demo merchant's two sandbox keys, the same at every start. They alone are kept readable, in a file of this account:
 * they open nothing but made-up goods.
 */
export async function ensureDemoKeys(db: Database, dataDirectory: string): Promise<DemoKeys> {
  const kept = readDemoKeys(dataDirectory)
  const keys = {
    publishable: await usable(db, kept.publishable, 'publishable'),
    secret: await usable(db, kept.secret, 'secret'),
  }
  writeFileSync(fileIn(dataDirectory), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  return keys
}

const fileIn = (dataDirectory: string) => join(dataDirectory, 'demo-keys.json')

/** Those of the last start; none: there was none here. */
export function readDemoKeys(dataDirectory: string): Partial<DemoKeys> {
  try {
    return JSON.parse(readFileSync(fileIn(dataDirectory), 'utf8')) as Partial<DemoKeys>
  } catch {
    return {}
  }
}

async function usable(db: Database, key: string | undefined, kind: ApiKeyKind): Promise<string> {
  const record = key === undefined ? null : await findApiKey(db, key)
  if (key !== undefined && record && isApiKeyUsable(record, new Date().toISOString())) return key
  const issued = await issueApiKey(db, {
    merchant: 'demo',
    kind,
    mode: 'sandbox',
    origins: ['*'],
    rate: 6_000,
    label: 'demo',
  })
  return issued.key
}
