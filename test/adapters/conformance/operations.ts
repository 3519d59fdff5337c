import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { FitmentPort } from '../../../src/ports/fitment.ts'
import type { InventoryPort } from '../../../src/ports/inventory.ts'
import type { PricingPort } from '../../../src/ports/pricing.ts'

type Methods<Port> = keyof {
  [K in keyof Port as NonNullable<Port[K]> extends (...given: never[]) => unknown ? K : never]: unknown
} &
  string

export type Operation =
  | `inventory.${Methods<InventoryPort>}`
  | `pricing.${Methods<PricingPort>}`
  | `accounting.${Methods<AccountingPort>}`
  | `fitment.${Methods<FitmentPort>}`

/** All operations. The type requires every method of every port here, so that the suite leaves none out. */
const named: Record<Operation, true> = {
  'inventory.search': true,
  'inventory.items': true,
  'inventory.categories': true,
  'inventory.tags': true,
  'inventory.vehicleFacet': true,
  'inventory.vehicleItems': true,
  'inventory.fitments': true,
  'inventory.picture': true,
  'fitment.vehicleFacet': true,
  'fitment.vehicle': true,
  'fitment.fitments': true,
  'inventory.stockChanges': true,
  'pricing.prices': true,
  'pricing.quote': true,
  'pricing.promotions': true,
  'pricing.priceChanges': true,
  'accounting.taxes': true,
  'accounting.customer': true,
  'accounting.findCustomer': true,
  'accounting.createCustomer': true,
  'accounting.credit': true,
  'accounting.deliveryOptions': true,
  'accounting.placeOrder': true,
  'accounting.order': true,
  'accounting.orders': true,
  'accounting.cancelOrder': true,
  'accounting.payment': true,
  'accounting.invoice': true,
  'accounting.invoiceDocument': true,
  'accounting.invoices': true,
  'accounting.orderChanges': true,
  'accounting.invoiceChanges': true,
}

/** All operations that Forecourt may call on a back office. */
export const allOperations = Object.keys(named) as readonly Operation[]

/** Returns all operations except these. */
export const operationsWithout = (...lacking: Operation[]): Operation[] =>
  allOperations.filter((one) => !lacking.includes(one))

/** Returns the operations of a connected adapter. */
export function offeredOperations(ports: object): Operation[] {
  return allOperations.filter((operation) => {
    const [port = '', method = ''] = operation.split('.')
    return typeof (ports as Record<string, Record<string, unknown> | undefined>)[port]?.[method] === 'function'
  })
}
