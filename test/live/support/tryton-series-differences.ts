import { trytonAccess } from './tryton-environment.ts'

/** The names that a series of Tryton has for what the tests do. */
export interface TrytonSeriesDifferences {
  /** The field of a move with the unit of its quantity. */
  moveUnit: 'uom' | 'unit'
  /** The steps that send a customer shipment. */
  shipmentSteps: readonly string[]
  /** The field of a sale line with its price before promotions. */
  priceBeforePromotions: 'draft_unit_price' | 'original_unit_price'
  /** The path from a right or a button to the name of its model, which once was a record. */
  rightsModel: 'model.model' | 'model'
  /** Whether a coupon has a name. */
  namesCoupons: boolean
  /** Whether only administrators may search attachments by anything but their records. */
  searchesAttachmentsByRecord: boolean
}

/** Returns the names of the server under test. */
export function trytonSeriesDifferences(): TrytonSeriesDifferences {
  const series = Number(trytonAccess().series)
  return {
    moveUnit: series < 7 ? 'uom' : 'unit',
    shipmentSteps: ['assign_force', 'pick', 'pack', series < 7.2 ? 'done' : 'do'],
    priceBeforePromotions: series < 7.6 ? 'draft_unit_price' : 'original_unit_price',
    rightsModel: series < 7.2 ? 'model.model' : 'model',
    namesCoupons: series < 7.4,
    searchesAttachmentsByRecord: series >= 8.2,
  }
}
