import { callerMutants } from './caller-mutants.ts'
import { cancelOrderMutants } from './cancel-order-mutants.ts'
import { categoryAndTagMutants } from './category-and-tag-mutants.ts'
import { changeFeedMutants } from './change-feed-mutants.ts'
import { creditMutants } from './credit-mutants.ts'
import { customerMutants } from './customer-mutants.ts'
import { deliveryOptionMutants } from './delivery-option-mutants.ts'
import { duplicateMutants } from './duplicate-mutants.ts'
import { exactlyOnceMutants } from './exactly-once-mutants.ts'
import { failureMutants } from './failure-mutants.ts'
import { invoiceMutants } from './invoice-mutants.ts'
import { itemMutants } from './item-mutants.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './order-mutants.ts'
import { paymentMutants } from './payment-mutants.ts'
import { pictureMutants } from './picture-mutants.ts'
import { placeOrderMutants } from './place-order-mutants.ts'
import { priceMutants } from './price-mutants.ts'
import { quoteMutants } from './quote-mutants.ts'
import { searchMutants } from './search-mutants.ts'
import { taxMutants } from './tax-mutants.ts'
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
