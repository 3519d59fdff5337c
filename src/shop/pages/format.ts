import type { AvailabilityBand, Money } from '../../client/browser.ts'

export const bandNames: Readonly<Record<AvailabilityBand, string>> = {
  IN_STOCK: 'In stock',
  LOW: 'Few left',
  OUT: 'Out of stock',
  LEAD_TIME: 'Made to order',
}

/** Amounts are exact decimal texts. They become numbers for the eye only: never calculate with them. */
export const formatPrice = ({ amount, currency }: Money): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' }).format(Number(amount))

export const formatDate = (date: string): string =>
  new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(date))

export const formatClock = (date: string): string =>
  new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(date))

/** Line totals contain tax, whether prices do or not. */
export const formatLineTotal = (money: Money): string => `${formatPrice(money)} with tax`

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `PARTIALLY_SHIPPED` becomes `Partially shipped`. */
export const formatCode = (code: string): string => code[0] + code.slice(1).toLowerCase().replaceAll('_', ' ')
