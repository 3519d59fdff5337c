import { randomBytes } from 'node:crypto'
import { toNetwork } from '../../security/ip-address.ts'
import type { Database } from '../../storage/database.ts'
import type { ShopperAccount } from '../../storage/shoppers/shopper-accounts.ts'
import { addSignInAddress, isSignInAddress } from '../../storage/shoppers/sign-in-client-addresses.ts'
import type { AccountClient } from '../account-attempt-limits.ts'
import { readDeviceId } from './shopper-device-token.ts'
import { type Keyed, signForShopper } from './sign-for-shopper.ts'

const ADDRESS_TTL_MS = 90 * 86_400_000

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

const toAddressDigest = (shopper: Keyed, address: string) => signForShopper(shopper, 'address', toNetwork(address))
