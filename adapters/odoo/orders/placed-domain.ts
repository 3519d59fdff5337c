import { SALE_ORIGIN_PREFIX } from './sale-origin.ts'

/** The orders of the shop that were confirmed at some time. */
export const placedDomain: unknown[] = [
  ['origin', '=like', `${SALE_ORIGIN_PREFIX}%`],
  ['state', 'in', ['sale', 'cancel']],
]
