import type { Address, Me, Money } from '../../client/browser.ts'

/** Amounts are exact decimal texts. They become numbers for the eye only: never calculate with them. */
export const formatPrice = ({ amount, currency }: Money): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' }).format(Number(amount))

/** A day, such as a due date, is the same everywhere. A time is shown in the time zone of the shopper. */
export function formatDate(date: string): string {
  const timeZone = date.includes('T') ? undefined : 'UTC'
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(new Date(date))
}

/** `0.15` becomes `15 %`. */
export const formatTaxRate = (rate: string): string => `${Number((Number(rate) * 100).toFixed(3))} %`
export const formatClock = (date: string): string =>
  new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(date))
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `PARTIALLY_SHIPPED` becomes `Partially shipped`. */
export const formatCode = (code: string): string => code[0] + code.slice(1).toLowerCase().replaceAll('_', ' ')
export const formatShopper = (me: Me | null): string => me?.company ?? me?.first_name ?? 'Your account'
export const formatAddress = ({ line1, line2, city, region, country }: Omit<Address, 'postal_code'>): string =>
  [...new Set([line1, line2, city, region, country])].filter(Boolean).join(', ')
