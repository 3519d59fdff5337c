import { existsSync } from 'node:fs'
import { adapters } from '../adapters.ts'
import { makeSecret, openedSecret, sealedSecret } from '../commands/signing-secret.ts'
import { defaults, readConfig } from '../config.ts'
import { openDatabase } from '../storage/database.ts'
import { everySubscription, updateSubscription } from '../storage/subscriptions.ts'
import { createVault, keptKey, resealed, type Vault } from '../storage/vault.ts'
import { print, printJson } from './print.ts'

/** After the key was lost: a new secret for every subscription whose secret cannot be opened, told once. Each receiver must be given its own. */
export async function renewSecrets(options: { config?: string; json?: boolean }): Promise<void> {
  const file = options.config ?? (existsSync('forecourt.yaml') ? 'forecourt.yaml' : undefined)
  const { store, webhooks, dataDirectory } = file ? readConfig(file, adapters) : defaults()
  const vault = createVault(webhooks.keys ?? [keptKey(dataDirectory)])
  const db = await openDatabase(store)
  try {
    const renewed = []
    for (const record of await everySubscription(db)) {
      if (opens(vault, record)) continue
      const { subscription_id, tenant_id, mode, endpoint_url } = record
      const signing_secret = makeSecret()
      const change = { ...sealedSecret(vault, subscription_id, signing_secret), previous_secret: null }
      await updateSubscription(db, subscription_id, { ...change, previous_secret_expires_at: null })
      renewed.push({ subscription_id, tenant_id, mode, endpoint_url, signing_secret })
    }
    await resealed(db, vault)
    if (options.json) return printJson(renewed)
    for (const one of renewed)
      print(`${one.tenant_id}/${one.mode}  ${one.subscription_id}  ${one.endpoint_url}  ${one.signing_secret}`)
    print(`${renewed.length} renewed. Servers start with this key from now on.`)
  } finally {
    await db.destroy()
  }
}

function opens(vault: Vault, record: Parameters<typeof openedSecret>[1]): boolean {
  try {
    openedSecret(vault, record)
    return true
  } catch {
    return false
  }
}
