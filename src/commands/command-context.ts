import type { MerchantConfig, Mode } from '../config/config.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { Database } from '../storage/database.ts'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { RequestScope } from '../upstream/request-scope.ts'
import type { WebhookSendFunction } from '../webhooks/webhook-request.ts'
import type { ActionThrottle } from './action-throttle.ts'

export interface Email {
  from: string | undefined
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Takes a letter to be sent when the answer is on its way. Never fails: what could not be sent is logged, and asked for again by its reader. */
  post(letter: Email): void
}

/** argon2id, off the event loop and bounded in parallel. */
export interface PasswordHasher {
  /** A PHC string. */
  hash(password: string): Promise<string>
  /** Takes as long when there is nothing to compare with: `null`. */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** What all writes share. */
export interface CommandDependencies {
  db: Database
  mail: Mailer
  passwords: PasswordHasher
  throttle: ActionThrottle
  vault: SecretCipher
  /** One attempt at an endpoint. */
  send: WebhookSendFunction
  endpoints: EndpointRules
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Where a write happens: one merchant, one mode. */
export interface CommandContext {
  commerce: CommandDependencies
  tenantId: string
  mode: Mode
  merchant: MerchantConfig
  backOffice: BackOffice
  requestScope: RequestScope
}

/** The same for a signed-in shopper's customer. */
export interface CustomerCommandContext extends CommandContext {
  customerId: string
}
