import { existsSync } from 'node:fs'
import { adapters } from '../../adapters.ts'
import { readConfig, readDefaultConfig } from '../../config/config.ts'
import type { Database } from '../../storage/database.ts'
import {
  createSecretCipher,
  readOrCreateEncryptionKey,
  recordEncryptionKey,
  type SecretCipher,
} from '../../storage/keys/secret-encryption.ts'
import { transact } from '../../storage/transact.ts'
import { listAllSubscriptions, updateSubscription } from '../../storage/webhooks/subscriptions.ts'
import {
  createSigningSecret,
  decryptCurrentSecret,
  encryptSigningSecret,
} from '../../webhooks/create-signing-secret.ts'
import { auditCommand } from '../command-audit.ts'
import { print, printJson } from '../print.ts'
import { requireStore, withStore } from '../with-store.ts'

/** After the key was lost: a new secret for every subscription whose secret cannot be opened, told once. Each receiver must be given its own. */
export async function runWebhooksRenewSecrets(options: { config?: string; json?: boolean }): Promise<void> {
  const file = options.config ?? (existsSync('forecourt.yaml') ? 'forecourt.yaml' : undefined)
  const { store, webhooks, dataDirectory } = file ? readConfig(file, adapters) : readDefaultConfig()
  requireStore(store)
  const vault = createSecretCipher(webhooks.keys ?? [readOrCreateEncryptionKey(dataDirectory)])
  const renewed = await withStore(store, (db) => transact(db, (all) => renewedIn(all, vault)))
  if (options.json) return printJson(renewed)
  for (const one of renewed)
    print(`${one.tenant_id}/${one.mode}  ${one.subscription_id}  ${one.endpoint_url}  ${one.signing_secret}`)
  print(`${renewed.length} renewed. Servers start with this key from now on.`)
}

async function renewedIn(all: Database, vault: SecretCipher) {
  const lost = (await listAllSubscriptions(all)).filter((record) => !opens(vault, record))
  const renewed = []
  for (const { subscription_id, tenant_id, mode, endpoint_url } of lost) {
    const signing_secret = createSigningSecret()
    const change = { ...encryptSigningSecret(vault, subscription_id, signing_secret), previous_secret: null }
    await updateSubscription(all, subscription_id, { ...change, previous_secret_expires_at: null })
    await auditCommand(all, 'webhook.renew-secret', { subscription: subscription_id, merchant: tenant_id, mode })
    renewed.push({ subscription_id, tenant_id, mode, endpoint_url, signing_secret })
  }
  await recordEncryptionKey(all, vault)
  return renewed
}

function opens(vault: SecretCipher, record: Parameters<typeof decryptCurrentSecret>[1]): boolean {
  try {
    decryptCurrentSecret(vault, record)
    return true
  } catch {
    return false
  }
}
