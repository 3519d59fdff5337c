// In a project of your own: '@forecourt/client/browser' and '@forecourt/client/server'.
import { createForecourt, ForecourtError, type Me } from '../../client/browser.ts'
import type { ServerClient } from '../../client/server.ts'
import type { AccountOperation, SessionOperation } from '../account-operations.ts'
import { observedFetch } from './observed-fetch.ts'

const {
  name = '',
  currency = '',
  key = '',
  operations = '',
} = document.querySelector<HTMLElement>('#settings')?.dataset ?? {}

export const settings = { name, currency, operationsAddress: operations }

/** Reads the catalog at list prices, with the publishable key. */
export const forecourt = createForecourt({ url: location.origin, key, maxRetries: 1, fetch: observedFetch })

type Operation = AccountOperation | SessionOperation | 'logOutShopper'
type Input<Name extends Operation> = Parameters<ServerClient[Name]>[0]
type Result<Name extends Operation> = Name extends SessionOperation
  ? { status: 'SIGNED_IN' | 'VERIFICATION_SENT' }
  : Awaited<ReturnType<ServerClient[Name]>>
interface AccountOptions {
  idempotencyKey?: string
  ifMatch?: number
}

/** Calls an operation on behalf of the shopper, through the shop's server. It has the types of the server's client. */
export async function callAccount<Name extends Operation>(
  operation: Name,
  input?: Input<Name>,
  options: AccountOptions = {},
): Promise<Result<Name>> {
  const response = await callServer(operation, input, options)
  return response.json()
}

/** Downloads the PDF of an invoice. Not every back office has one. */
export async function readInvoiceDocument(invoice_id: string): Promise<Blob> {
  const response = await callServer('getInvoiceDocument', { invoice_id })
  return response.blob()
}

async function callServer(operation: Operation, input: unknown, options: AccountOptions = {}): Promise<Response> {
  const response = await observedFetch(`/shop/account/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, ...options }),
  })
  if (response.ok) return response
  const error = new ForecourtError({ ...(await response.json()), status: response.status })
  // The session has ended elsewhere.
  if (account.isSignedIn && error.status === 401 && error.code !== 'invalid_credentials') forgetAccount()
  throw error
}

const SIGNED_IN = 'shop-signed-in'

/** `me` is null for a visitor, and while accounting, which knows the customer, cannot be read. */
export const account: { isSignedIn: boolean; me: Me | null } = { isSignedIn: false, me: null }

/** Reads who is signed in. A visitor costs no call. */
export async function loadAccount(): Promise<void> {
  account.me = null
  account.isSignedIn = localStorage.getItem(SIGNED_IN) !== null
  if (!account.isSignedIn) return
  account.me = await callAccount('getMe').catch(() => null)
}

function forgetAccount(): void {
  localStorage.removeItem(SIGNED_IN)
  account.isSignedIn = false
  account.me = null
  dispatchEvent(new Event('shop:cart'))
}

export async function signIn(email: string, password: string): Promise<void> {
  await callAccount('logInShopper', { body: { email, password } })
  await rememberSignIn()
}

export async function rememberSignIn(): Promise<void> {
  localStorage.setItem(SIGNED_IN, 'yes')
  await loadAccount()
}

export async function signOut(): Promise<void> {
  await callAccount('logOutShopper')
  forgetAccount()
}

/** The catalog at the shopper's own prices, or at list prices for a visitor. */
export const catalog = {
  getProduct: (input: Input<'getProduct'>) =>
    account.isSignedIn ? callAccount('getProduct', input) : forecourt.getProduct(input),
  listProducts: (input: Input<'listProducts'>) =>
    account.isSignedIn ? callAccount('listProducts', input) : forecourt.listProducts(input),
}
