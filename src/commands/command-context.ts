import type { MerchantConfig, Mode } from '../config/config.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { Send } from '../webhooks/webhook-request.ts'
import type { Database } from '../storage/database.ts'
import type { Vault } from '../storage/keys/secret-encryption.ts'
import type { Asking } from '../upstream/request-scope.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { Throttle } from './action-throttle.ts'

export interface Letter {
  from: string | undefined
  to: string
  subject: string
  text: string
}

export interface Mail {
  /** Takes a letter to be sent when the answer is on its way. Never fails: what could not be sent is logged, and asked for again by its reader. */
  post(letter: Letter): void
}

/** argon2id, off the event loop and bounded in parallel. */
export interface Passwords {
  /** A PHC string. */
  hash(password: string): Promise<string>
  /** Takes as long when there is nothing to compare with: `null`. */
  matches(password: string, hash: string | null): Promise<boolean>
}

/** What all writes share. */
export interface Commerce {
  db: Database
  mail: Mail
  passwords: Passwords
  throttle: Throttle
  vault: Vault
  /** One attempt at an endpoint. */
  send: Send
  endpoints: EndpointRules
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Where a write happens: one merchant, one mode. */
export interface Place {
  commerce: Commerce
  tenantId: string
  mode: Mode
  merchant: MerchantConfig
  office: BackOffice
  asking: Asking
}

/** The same for a signed-in shopper's customer. */
export interface CustomerPlace extends Place {
  customerId: string
}
