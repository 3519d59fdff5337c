import { trytonServer } from './tryton-server.ts'

/** The names that a series of Tryton has for what the tests do. */
export interface TrytonNames {
  /** The field of a move with the unit of its quantity. */
  moveUnit: 'uom' | 'unit'
  /** The steps that send a customer shipment. */
  shipmentSteps: readonly string[]
  /** The field of a sale line with its price before promotions. */
  priceBeforePromotions: 'draft_unit_price' | 'original_unit_price'
}

/** Returns the names of the server under test. */
export function trytonNames(): TrytonNames {
  const series = Number(trytonServer().series)
  return {
    moveUnit: series < 7 ? 'uom' : 'unit',
    shipmentSteps: ['assign_force', 'pick', 'pack', series < 7.2 ? 'done' : 'do'],
    priceBeforePromotions: series < 7.6 ? 'draft_unit_price' : 'original_unit_price',
  }
}
