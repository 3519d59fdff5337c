import { toMoney } from '../../contract/money.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Formats an exact amount: `JMD 1,234.50`. */
export function formatMoney(amount: string, currency: string): string {
  const { amount: exact } = toMoney(amount, currency)
  const decimals = exact.split('.')[1]?.length ?? 0
  const key = `${currency} ${decimals}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
  formats.set(key, format)
  return format.format(exact as Intl.StringNumericLiteral).replaceAll('\u00a0', ' ')
}
