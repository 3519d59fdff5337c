import type { MerchantConfig, Mode } from '../config.ts'
import type { Database } from '../storage/database.ts'
import type { Asking } from '../upstream/asking.ts'
import type { BackOffice } from '../upstream/back-office.ts'

/** Sends a letter, or rejects; in the demo it goes to the log. */
export interface Mail {
  send(letter: { to: string; subject: string; text: string }): Promise<void>
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
