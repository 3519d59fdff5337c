import type { operations } from '../client/generated/operations.gen.ts'

type Operations = typeof operations

/** What pages may ask of the shop's server: what a shopper may do. The server adds the secret key and the shopper's token. */
export type AccountOperation = {
  [Name in keyof Operations]: Operations[Name] extends { shopper: true } ? Name : never
}[keyof Operations]

/** The operations that open a session. Its tokens stay on the server. */
export type SessionOperation = 'logInShopper' | 'registerShopper' | 'verifyShopper'
