import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { toNetwork } from '../../security/ip-address.ts'
import type { Database } from '../../storage/database.ts'
import type { ShopperAccount } from '../../storage/shoppers/shopper-accounts.ts'
import { addSignInAddress, isSignInAddress } from '../../storage/shoppers/sign-in-client-addresses.ts'
import type { AccountClient } from '../account-attempt-limits.ts'

const ADDRESS_TTL_MS = 90 * 86_400_000
const DEVICE_ID_LENGTH = 22

type Keyed = Pick<ShopperAccount, 'password_hash'>

/** The password hash is the key, so a new password makes every device and address unknown. */
const sign = ({ password_hash }: Keyed, purpose: string, text: string) =>
  createHmac('sha256', password_hash).update(`${purpose}\n${text}`).digest('base64url')

/**
 * Creates the token that a storefront stores on the shopper's device. It grants no access: sign-in attempts with it are counted apart from
 * those of strangers. All sessions of one token family have the same.
 */
export function createShopperDeviceToken(shopper: Keyed, familyId: string): string {
  const deviceId = createHmac('sha256', familyId).update('device').digest('base64url').slice(0, DEVICE_ID_LENGTH)
  return `${deviceId}.${sign(shopper, 'device', deviceId)}`
}

/** Returns what an account knows of a client. It does the same work for `null`, an account that does not exist. */
export async function identifyShopperClient(
  db: Database,
  shopper: Keyed | null,
  { clientAddress, deviceToken }: { clientAddress: string | null; deviceToken: string | undefined },
  now: number,
): Promise<AccountClient> {
  const keyed = shopper ?? { password_hash: randomBytes(32).toString('base64') }
  return {
    address: clientAddress,
    deviceId: readDeviceId(keyed, deviceToken ?? ''),
    isKnownAddress:
      clientAddress !== null && (await isSignInAddress(db, toAddressDigest(keyed, clientAddress), new Date(now))),
  }
}

/** Stores the address of a sign-in, unreadable without the account's password hash. */
export async function rememberSignInAddress(
  db: Database,
  shopper: Keyed & Pick<ShopperAccount, 'shopper_id'>,
  clientAddress: string | null,
  now: number,
): Promise<void> {
  if (clientAddress === null) return
  const digest = toAddressDigest(shopper, clientAddress)
  await addSignInAddress(db, { digest, shopper_id: shopper.shopper_id }, new Date(now + ADDRESS_TTL_MS))
}

const toAddressDigest = (shopper: Keyed, address: string) => sign(shopper, 'address', toNetwork(address))

function readDeviceId(shopper: Keyed, token: string): string | null {
  const [deviceId = '', signature = ''] = token.split('.')
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(shopper, 'device', deviceId))]
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? deviceId : null
}
