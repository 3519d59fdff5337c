import { createHmac } from 'node:crypto'
import type { ShopperAccount } from '../../storage/shoppers/shopper-accounts.ts'

export type Keyed = Pick<ShopperAccount, 'password_hash'>

/** Signs a text for one purpose. The password hash is the key, so a new password makes every device and address unknown. */
export const signForShopper = ({ password_hash }: Keyed, purpose: string, text: string) =>
  createHmac('sha256', password_hash).update(`${purpose}\n${text}`).digest('base64url')
