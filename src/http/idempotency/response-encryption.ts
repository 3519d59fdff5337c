import type { StoredResponse } from '../../storage/idempotency-keys.ts'
import type { SecretCipher } from '../../storage/keys/secret-encryption.ts'

/** Encrypts stored responses and decrypts them again; `digest` identifies the key that a response belongs to. */
export interface ResponseEncryption {
  seal(response: StoredResponse, digest: string): StoredResponse
  open(response: StoredResponse, digest: string): StoredResponse
}

export const plaintext: ResponseEncryption = { seal: (response) => response, open: (response) => response }

/** Encrypts bodies, for responses that contain a secret. Status and headers stay readable in the store. */
export function encryptBodies(cipher: SecretCipher): ResponseEncryption {
  const purposeOf = (digest: string) => `idempotency ${digest}`
  return {
    seal: ({ body, ...rest }, digest) => ({ ...rest, body: body && cipher.encrypt(body, purposeOf(digest)) }),
    open: ({ body, ...rest }, digest) => ({ ...rest, body: body && cipher.decrypt(body, purposeOf(digest)) }),
  }
}
