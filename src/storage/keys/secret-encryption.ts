import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

/** Encrypts secrets that must be readable to Forecourt, but not to somebody who has only the store. */
export interface SecretCipher {
  /** `purpose` is authenticated with the text: a value that was encrypted for one row cannot be decrypted for another. */
  encrypt(text: string, purpose: string): string
  /** Throws when the value was encrypted with an unknown key or for another purpose, or was changed. */
  decrypt(encrypted: string, purpose: string): string
  /** The ids of all keys, the encrypting one first. */
  readonly keyIds: readonly string[]
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with a random nonce. The first key encrypts, and all keys decrypt.
 * Format: `v1.<key id>.<base64url of nonce, text and tag>`.
 */
export function createSecretCipher(keys: readonly Buffer[]): SecretCipher {
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]))
  const [encrypting] = byId
  if (!encrypting) throw new Error('a secret cipher needs at least one key')
  return {
    keyIds: [...byId.keys()],
    encrypt(text, purpose) {
      const [id, key] = encrypting
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose))
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${id}.${bytes.toString('base64url')}`
    },
    decrypt(encrypted, purpose) {
      const [version, id = '', payload = ''] = encrypted.split('.')
      const key = byId.get(id)
      if (version !== 'v1' || !key) throw new Error(`encrypted with another key (${id}); see webhooks.previous_keys`)
      const bytes = Buffer.from(payload, 'base64url')
      const end = bytes.length - TAG_BYTES
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(end))
      return decipher.update(bytes.subarray(NONCE_BYTES, end), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** Identifies a key without revealing it. */
const keyIdOf = (key: Buffer) => hash('sha256', Buffer.concat([Buffer.from('forecourt vault key\n'), key])).slice(0, 12)
