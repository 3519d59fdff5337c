import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

export const taxMutants = mutantsOf(
  'accounting.taxes',
  [
    'returns a rate of 0 for unknown SKUs',
    'leaves out unknown',
    changeResult('accounting.taxes', (taxes, skus) => {
      const lost = skus.filter((sku) => !taxes.some((tax) => tax.sku === sku))
      return [...taxes, ...lost.map((sku) => ({ sku, code: 'NONE', name: 'None', rate: '0' }))]
    }),
  ],
  [
    'returns rates in percent',
    'plain decimal fractions',
    changeResult('accounting.taxes', (taxes) => taxes.map((tax) => ({ ...tax, rate: String(Number(tax.rate) * 100) }))),
  ],
  [
    'returns rates as numbers',
    'plain decimal fractions',
    changeResult('accounting.taxes', (taxes) => taxes.map((tax) => ({ ...tax, rate: toNumber(tax.rate) }))),
  ],
  [
    'reads the taxes of one SKU fewer than it promises',
    'accepts `maxSkus`',
    changeMethod(
      'accounting.taxes',
      (taxes, { accounting }) =>
        (skus, ...more) =>
          taxes(skus.slice(0, accounting.maxSkus - 1), ...more),
    ),
  ],
  [
    'exempts every customer who is known',
    'exempt customer only',
    changeResult('accounting.taxes', (taxes, _, customer) =>
      customer === null ? taxes : taxes.map((tax) => ({ ...tax, rate: '0' })),
    ),
  ],
  [
    'taxes exempt customers',
    'for an exempt customer',
    changeMethod('accounting.taxes', (taxes) => (skus, _, call) => taxes(skus, null, call)),
  ],
)
