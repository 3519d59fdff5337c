import type { Database } from '../../storage/database.ts'
import { readOrCreateEncryptionKey, recordEncryptionKey } from '../../storage/keys/encryption-key.ts'
import { createSecretCipher, type SecretCipher } from '../../storage/keys/secret-encryption.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import { listAllSubscriptions, updateSubscription } from '../../storage/webhooks/subscriptions.ts'
import { tenantKey } from '../../tenant.ts'
import { createSigningSecret, decryptCurrentSecret, encryptSigningSecret } from '../../webhooks/signing-secrets.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { type StoreCommandOptions, withExistingStore } from '../with-store.ts'

/** Replaces every signing secret that the current key cannot decrypt, and prints the new ones once. Each receiver needs its new secret. */
export async function runWebhooksRenewSecrets(options: StoreCommandOptions): Promise<void> {
  const { store, webhooks, dataDirectory } = readCommandConfig(options.config)
  const renewed = await withExistingStore(store, (db) => {
    const secretCipher = createSecretCipher(webhooks.keys ?? [readOrCreateEncryptionKey(dataDirectory)])
    return transact(db, (transaction) => renewLostSecrets(transaction, secretCipher))
  })
  if (options.json) return printJson(renewed)
  for (const subscription of renewed) {
    const { subscription_id, endpoint_url, signing_secret } = subscription
    print(`${tenantKey(tenantOf(subscription))}  ${subscription_id}  ${endpoint_url}  ${signing_secret}`)
  }
  print(`Renewed secrets: ${renewed.length}. Servers can start with the current key again.`)
}

async function renewLostSecrets(transaction: Database, secretCipher: SecretCipher) {
  const subscriptions = await listAllSubscriptions(transaction)
  const renewed = []
  for (const record of subscriptions.filter((subscription) => !canDecrypt(secretCipher, subscription))) {
    const { subscription_id, tenant_id, mode, endpoint_url } = record
    const signing_secret = createSigningSecret()
    await updateSubscription(transaction, subscription_id, {
      ...encryptSigningSecret(secretCipher, subscription_id, signing_secret),
      previous_secret: null,
      previous_secret_expires_at: null,
    })
    const target = { subscription: subscription_id, merchant: tenant_id, mode }
    await auditCommand(transaction, 'webhook.renew-secret', target)
    renewed.push({ subscription_id, tenant_id, mode, endpoint_url, signing_secret })
  }
  await recordEncryptionKey(transaction, secretCipher)
  return renewed
}

function canDecrypt(secretCipher: SecretCipher, record: Parameters<typeof decryptCurrentSecret>[1]): boolean {
  try {
    decryptCurrentSecret(secretCipher, record)
    return true
  } catch {
    return false
  }
}
