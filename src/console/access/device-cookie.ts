import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperatorRecord } from '../../storage/operators/operator-accounts.ts'

export const DEVICE_COOKIE = 'forecourt_browser'
export const DEVICE_COOKIE_SECONDS = 365 * 86_400

/**
 * What a browser keeps once somebody has signed in there. It opens nothing: tries from there are counted apart, so that strangers who
 * use up the tries of a name do not lock out whose it is. Another password makes it worthless.
 */
export const createDeviceToken = ({ operator_id, password_hash }: OperatorRecord): string =>
  createHmac('sha256', password_hash).update(`browser of ${operator_id}`).digest('base64url')

export function isDeviceTokenValid(given: string | undefined, operator: OperatorRecord): boolean {
  const [sent, right] = [Buffer.from(given ?? ''), Buffer.from(createDeviceToken(operator))]
  return sent.length === right.length && timingSafeEqual(sent, right)
}
