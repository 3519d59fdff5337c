import { Problem } from '../../../errors.ts'
import { type Mode, modes, type Tenant } from '../../../tenant.ts'
import type { ConsoleRequest } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'

/** Returns whether this Forecourt serves a merchant. Several may share a store, and show only what is theirs. */
export const isServedTenant = ({ all }: Pick<MerchantDirectory, 'all'>, merchant: string): boolean =>
  all.some((entry) => entry.merchant === merchant)

/** Reads the tenant of a path `/…/:merchant/:mode/…`. Throws `not_found` for one that is not served. */
export function requireServedTenant(
  merchants: Pick<MerchantDirectory, 'all'>,
  { merchant = '', mode = '' }: ConsoleRequest['params'],
): Tenant {
  if (!isServedTenant(merchants, merchant) || !modes.includes(mode as Mode)) throw createLookupNotFound('merchant')
  return { merchant, mode: mode as Mode }
}

/** Creates the error of a page whose subject does not exist, or belongs to a merchant that is not served here. */
export const createLookupNotFound = (kind: string): Problem =>
  new Problem('not_found', `There is no such ${kind}, or it was deleted.`)
