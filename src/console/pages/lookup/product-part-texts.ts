import type { StockAvailability } from '../../../catalog/availability-bands.ts'
import type { MirrorProduct } from '../../../catalog/mirror/file/mirror-row.ts'
import type { Tax } from '../../../ports/accounting.ts'
import type { Product } from '../../../ports/inventory.ts'
import type { Price } from '../../../ports/pricing.ts'
import type { AbsentPart } from '../../../storage/catalog/absent-product-parts.ts'
import { formatMoney } from '../../text/format-money.ts'

/** The texts of one part of a product. */
export interface PartText {
  name: string
  system: string
  /** Why the section is null although the system works. */
  absent: string
  /** What to do if the system has no value, and what shoppers lack until then. */
  absentAdvice: string
  /** The name of its part in the store. */
  stored?: AbsentPart
  describe(value: never, currency: string): string
  mirroredValue(row: MirrorProduct): unknown
}

/** Product, availability, price and tax. */
export const productParts: readonly PartText[] = [
  {
    name: 'Product',
    system: 'inventory',
    absent: 'inventory knows no product with this SKU',
    absentAdvice: 'Check the spelling of the SKU. If it is right, ask whoever runs inventory to add the product.',
    describe: ({ name, active }: Product) => (active ? name : `${name} (withdrawn from sale)`),
    mirroredValue: ({ product }) => product,
  },
  {
    name: 'Availability',
    system: 'inventory',
    absent: 'inventory keeps no stock of it',
    absentAdvice:
      'Ask whoever runs inventory to record stock of it. Until then, it shows no availability and cannot be ordered.',
    stored: 'availability',
    describe: ({ band, eta }: StockAvailability) => (eta === null ? band : `${band}, expected on ${eta}`),
    mirroredValue: ({ availability }) => availability,
  },
  {
    name: 'Price',
    system: 'pricing',
    absent: 'pricing has no price for it',
    absentAdvice:
      'Ask whoever runs pricing to set a price for it. Until then, shoppers who are not signed in see no price, and only customers who have a price of their own can order it.',
    stored: 'price',
    describe: ({ amount, uom, tax_included }: Price, currency) =>
      `${formatMoney(amount, currency)} per ${uom}, ${tax_included ? 'with' : 'without'} tax`,
    mirroredValue: ({ price }) => price,
  },
  {
    name: 'Tax',
    system: 'accounting',
    absent: 'accounting has no tax for it',
    absentAdvice:
      'Ask whoever runs accounting to set its tax. Until then, only customers who have a tax of their own can order it.',
    stored: 'tax',
    describe: ({ name, rate }: Tax) => `${name}, rate ${rate}`,
    mirroredValue: ({ tax }) => tax,
  },
]
