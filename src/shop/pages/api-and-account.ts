// In a project of your own: '@forecourt/client/browser'.
import { type CartItem, createForecourt, createShopperCalls, ForecourtError, type Me } from '../../client/browser.ts'
import { stored } from './navigation.ts'
import { observedFetch } from './sandbox-panel.ts'

const { name = '', key = '', operations = '' } = document.querySelector<HTMLElement>('#settings')?.dataset ?? {}
export const settings = { name, operationsAddress: operations }
const limits = { maxRetries: 1, fetch: observedFetch }

/** Reads the catalog at list prices, with the publishable key. */
export const forecourt = createForecourt({ url: location.origin, key, ...limits })
/** Acts for the shopper, through the shop’s server. */
export const shopper = createShopperCalls({ url: `${location.origin}/shop/account`, ...limits })
/** The catalog at the shopper’s own prices, or at list prices for a visitor. */
export const catalog = () => (account.isSignedIn ? shopper : forecourt)

/** Has the time of the sign-in, so that other tabs notice each one. */
const SIGNED_IN = 'shop-signed-in'
/** `me` is null for a visitor, and while accounting, which knows the customer, cannot be read. Pages do not wait for it. */
export const account = { isSignedIn: false, me: Promise.resolve<Me | null>(null) }

/** Reads who is signed in. A visitor costs no call. */
export function loadAccount(): void {
  account.isSignedIn = stored[SIGNED_IN] !== undefined
  account.me = account.isSignedIn ? shopper.getMe().catch(() => null) : Promise.resolve(null)
}

export async function signIn(email: string, password: string): Promise<void> {
  await shopper.logInShopper({ body: { email, password } })
  stored[SIGNED_IN] = new Date().toISOString()
  loadAccount()
}

export function forgetAccount(): void {
  delete stored[SIGNED_IN]
  loadAccount()
}

/** The session has ended: after a restart of the server, for example. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ForecourtError && error.status === 401 && error.code.endsWith('_token')

/** Returns the newest cart that the shopper can still change, without its lines. A visitor has none. */
export async function findOpenCart(): Promise<CartItem | undefined> {
  return account.isSignedIn ? (await shopper.listCarts({ limit: 1 })).data[0] : undefined
}
