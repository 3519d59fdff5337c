import { cancelDuties } from './requirements/cancel-order.ts'
import { changeDuties } from './requirements/changes.ts'
import { creditDuties, customerDuties } from './requirements/customers.ts'
import { crowdDuties, deadlineDuties } from './requirements/deadlines.ts'
import { duplicateDuties } from './requirements/duplicates.ts'
import type { Duty } from './requirement.ts'
import { failureDuties } from './requirements/failures.ts'
import { invoiceDuties } from './requirements/invoices.ts'
import { itemDuties } from './requirements/items.ts'
import { onceDuties } from './requirements/exactly-once.ts'
import { orderDuties, paymentDuties } from './requirements/orders.ts'
import { pictureDuties } from './requirements/pictures.ts'
import { placingDuties } from './requirements/place-order.ts'
import { priceDuties } from './requirements/prices.ts'
import { quoteDuties } from './requirements/quotes.ts'
import { searchDuties } from './requirements/search.ts'
import { taxDuties } from './requirements/taxes.ts'
import { catalogDuties, vehicleDuties } from './requirements/vehicles.ts'

/** Everything that an adapter must do. */
export const allDuties: readonly Duty[] = [
  ...[...itemDuties, ...searchDuties, ...catalogDuties, ...pictureDuties, ...vehicleDuties, ...duplicateDuties],
  ...[...priceDuties, ...quoteDuties, ...taxDuties, ...customerDuties, ...creditDuties],
  ...[...placingDuties, ...onceDuties, ...orderDuties, ...paymentDuties, ...cancelDuties],
  ...[...invoiceDuties, ...changeDuties, ...failureDuties, ...deadlineDuties, ...crowdDuties],
]
