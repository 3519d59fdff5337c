import { createHmac, timingSafeEqual } from 'node:crypto'
import type { OperatorRecord } from '../../storage/operators/operator-accounts.ts'

export const DEVICE_COOKIE = 'forecourt_browser'
export const DEVICE_COOKIE_SECONDS = 365 * 86_400

/**
 * Creates the token that a browser stores after a successful sign-in. It grants no access: sign-in attempts with it are counted separately,
 * so that strangers who use up the attempts for a name do not lock out its owner. A password change invalidates it.
 */
export const createDeviceToken = ({ operator_id, password_hash }: OperatorRecord): string =>
  createHmac('sha256', password_hash).update(`browser of ${operator_id}`).digest('base64url')

export function isDeviceTokenValid(token: string | undefined, operator: OperatorRecord): boolean {
  const [actual, expected] = [Buffer.from(token ?? ''), Buffer.from(createDeviceToken(operator))]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
