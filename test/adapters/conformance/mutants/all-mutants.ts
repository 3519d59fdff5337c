import { callerMutants } from './caller-mutants.ts'
import { changeFeedMutants } from './change-feed-mutants.ts'
import { creditMutants, customerMutants } from './customer-mutants.ts'
import { deliveryOptionMutants } from './delivery-option-mutants.ts'
import { duplicateMutants } from './duplicate-mutants.ts'
import { exactlyOnceMutants } from './exactly-once-mutants.ts'
import { failureMutants } from './failure-mutants.ts'
import { invoiceMutants } from './invoice-mutants.ts'
import { itemMutants } from './item-mutants.ts'
import type { Mutant } from './mutant.ts'
import { cancelOrderMutants, orderMutants, paymentMutants } from './order-mutants.ts'
import { placeOrderMutants } from './place-order-mutants.ts'
import { priceMutants, taxMutants } from './price-mutants.ts'
import { quoteMutants } from './quote-mutants.ts'
import { categoryAndTagMutants, pictureMutants, searchMutants } from './search-mutants.ts'
import { vehicleMutants } from './vehicle-mutants.ts'

/** At least one adapter with a mistake for each requirement. Those of the change feeds are last, because they change prices and stock. */
export const allMutants: readonly Mutant[] = [
  ...itemMutants,
  ...searchMutants,
  ...categoryAndTagMutants,
  ...pictureMutants,
  ...vehicleMutants,
  ...duplicateMutants,
  ...priceMutants,
  ...quoteMutants,
  ...taxMutants,
  ...customerMutants,
  ...creditMutants,
  ...placeOrderMutants,
  ...exactlyOnceMutants,
  ...orderMutants,
  ...paymentMutants,
  ...cancelOrderMutants,
  ...invoiceMutants,
  ...deliveryOptionMutants,
  ...failureMutants,
  ...callerMutants,
  ...changeFeedMutants,
]
