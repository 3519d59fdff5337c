import type { TrytonContext } from './context.ts'

/** Returns the number of decimals of the currency of the merchant. */
export const currencyDigits = ({ formatAmount }: Pick<TrytonContext, 'formatAmount'>): number =>
  formatAmount('0').split('.')[1]?.length ?? 0
