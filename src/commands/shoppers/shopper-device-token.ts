import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Keyed, signForShopper } from './sign-for-shopper.ts'

const DEVICE_ID_LENGTH = 22

/**
 * Creates the token that a storefront stores on the shopper's device. It grants no access: sign-in attempts with it are counted apart from
 * those of strangers. All sessions of one token family have the same.
 */
export function createShopperDeviceToken(shopper: Keyed, familyId: string): string {
  const deviceId = createHmac('sha256', familyId).update('device').digest('base64url').slice(0, DEVICE_ID_LENGTH)
  return `${deviceId}.${signForShopper(shopper, 'device', deviceId)}`
}

/** Returns the device id of a token; `null`: the token is of another account or an earlier password, or none. */
export function readDeviceId(shopper: Keyed, token: string): string | null {
  const [deviceId = '', signature = ''] = token.split('.')
  const [actual, expected] = [Buffer.from(signature), Buffer.from(signForShopper(shopper, 'device', deviceId))]
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? deviceId : null
}
