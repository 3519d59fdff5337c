import type { Tenant } from '../tenant.ts'
import type { ActionThrottle, ThrottledAction, ThrottleSubject } from './action-throttle.ts'

/** A client that has not signed in, and what the account knows about it. */
export interface AccountClient {
  /** `null`: unknown, or not counted. */
  address: string | null
  /** The id of a device that signed in to this account before. `null`: an unknown device. */
  deviceId: string | null
  /** Somebody signed in to this account from this address before. */
  isKnownAddress: boolean
}

export interface AccountAttempt {
  /** Takes the attempt back: nothing was tried. */
  refund(): Promise<void>
  /** Forgets the client's failures with this account, and takes the attempt back. */
  succeed(): Promise<void>
}

interface AttemptedAccount {
  tenant: Tenant
  /** An email address or a name, of an existing account or of none. */
  account: string
  client: AccountClient
}

type Counter = readonly [ThrottledAction, ThrottleSubject]

/**
 * Counts an attempt to sign in. Throws `rate_limited` when the client has none left. Failures count by account and client together, so that
 * strangers do not use up the owner's attempts: a known device has its own count, and a known address is exempt from the count of the account.
 */
export async function takeSignInAttempt(
  throttle: ActionThrottle,
  attempted: AttemptedAccount,
): Promise<AccountAttempt> {
  const { account, client } = attempted
  const counters = ownCounters('logins', 'loginsByAddress', attempted)
  if (!isKnownClient(client)) counters.push(['loginsByAccount', account])
  return takeAll(throttle, attempted.tenant, counters)
}

/** Forgets a client's failures with an account, whose owner it has proved to be. */
export async function forgetSignInFailures(throttle: ActionThrottle, attempted: AttemptedAccount): Promise<void> {
  const [[action, subject]] = ownCounters('logins', 'loginsByAddress', attempted) as [Counter]
  await throttle.reset(action, attempted.tenant, subject)
}

/** Counts an email to an account by account and client together. Throws `rate_limited` when the client has none left. */
export const takeEmailAttempt = (
  throttle: ActionThrottle,
  action: 'registrations' | 'resets',
  attempted: AttemptedAccount,
): Promise<AccountAttempt> => takeAll(throttle, attempted.tenant, ownCounters(action, 'emailsByAddress', attempted))

export const isKnownClient = ({ deviceId, isKnownAddress }: AccountClient): boolean =>
  deviceId !== null || isKnownAddress

/** Returns a client that the account does not know. */
export const createUnknownClient = (address: string | null): AccountClient => ({
  address,
  deviceId: null,
  isKnownAddress: false,
})

/** A known device is exempt from the count of its address, which it may share with strangers. */
function ownCounters(
  own: ThrottledAction,
  byAddress: ThrottledAction,
  { account, client }: AttemptedAccount,
): Counter[] {
  const { deviceId, address } = client
  if (deviceId !== null) return [[own, [account, 'device', deviceId]]]
  return [
    [own, [account, 'address', address ?? '']],
    [byAddress, address],
  ]
}

/** Takes the narrowest counter first: attempts that it refuses do not use up the wider ones. */
async function takeAll(
  throttle: ActionThrottle,
  tenant: Tenant,
  counters: readonly Counter[],
): Promise<AccountAttempt> {
  for (const [action, subject] of counters) await throttle.take(action, tenant, subject)
  const refund = async (taken: readonly Counter[]) => {
    for (const [action, subject] of taken) await throttle.refund(action, tenant, subject)
  }
  return {
    refund: () => refund(counters),
    async succeed() {
      const [[action, subject], ...wider] = counters as [Counter, ...Counter[]]
      await throttle.reset(action, tenant, subject)
      await refund(wider)
    },
  }
}
