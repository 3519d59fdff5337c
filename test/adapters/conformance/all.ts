import { cancelDuties } from './cancelling.ts'
import { changeDuties } from './changes.ts'
import { creditDuties, customerDuties } from './customers.ts'
import { crowdDuties, deadlineDuties } from './deadlines.ts'
import { duplicateDuties } from './duplicates.ts'
import type { Duty } from './duty.ts'
import { failureDuties } from './failures.ts'
import { invoiceDuties } from './invoices.ts'
import { itemDuties } from './items.ts'
import { onceDuties } from './once.ts'
import { orderDuties, paymentDuties } from './orders.ts'
import { pictureDuties } from './pictures.ts'
import { placingDuties } from './placing.ts'
import { priceDuties } from './prices.ts'
import { quoteDuties } from './quotes.ts'
import { searchDuties } from './search.ts'
import { taxDuties } from './taxes.ts'
import { catalogDuties, vehicleDuties } from './vehicles.ts'

/** Everything that an adapter must do. */
export const allDuties: readonly Duty[] = [
  ...[...itemDuties, ...searchDuties, ...catalogDuties, ...pictureDuties, ...vehicleDuties, ...duplicateDuties],
  ...[...priceDuties, ...quoteDuties, ...taxDuties, ...customerDuties, ...creditDuties],
  ...[...placingDuties, ...onceDuties, ...orderDuties, ...paymentDuties, ...cancelDuties],
  ...[...invoiceDuties, ...changeDuties, ...failureDuties, ...deadlineDuties, ...crowdDuties],
]
