import type { Requirement } from './requirement.ts'
import { backOfficeOrderRequirements } from './requirements/back-office-orders.ts'
import { cancelOrderRequirements } from './requirements/cancel-order.ts'
import { categoryAndTagRequirements } from './requirements/categories-and-tags.ts'
import { changeRequirements } from './requirements/changes.ts'
import { creditRequirements } from './requirements/credit.ts'
import { customerRequirements } from './requirements/customers.ts'
import { deadlineRequirements } from './requirements/deadlines.ts'
import { deliveryOptionRequirements } from './requirements/delivery-options.ts'
import { duplicateRequirements } from './requirements/duplicates.ts'
import { exactlyOnceRequirements } from './requirements/exactly-once.ts'
import { failureRequirements } from './requirements/failures.ts'
import { invoiceDocumentRequirements } from './requirements/invoice-documents.ts'
import { invoiceRequirements } from './requirements/invoices.ts'
import { itemRequirements } from './requirements/items.ts'
import { orderRequirements } from './requirements/orders.ts'
import { parallelCallerRequirements } from './requirements/parallel-callers.ts'
import { paymentRequirements } from './requirements/payments.ts'
import { pictureRequirements } from './requirements/pictures.ts'
import { placeOrderRequirements } from './requirements/place-order.ts'
import { priceRequirements } from './requirements/prices.ts'
import { quoteRequirements } from './requirements/quotes.ts'
import { searchRequirements } from './requirements/search.ts'
import { taxRequirements } from './requirements/taxes.ts'
import { vehicleRequirements } from './requirements/vehicles.ts'

/** All requirements of an adapter. */
export const allRequirements: readonly Requirement[] = [
  ...itemRequirements,
  ...searchRequirements,
  ...categoryAndTagRequirements,
  ...pictureRequirements,
  ...vehicleRequirements,
  ...duplicateRequirements,
  ...priceRequirements,
  ...quoteRequirements,
  ...taxRequirements,
  ...customerRequirements,
  ...creditRequirements,
  ...placeOrderRequirements,
  ...exactlyOnceRequirements,
  ...orderRequirements,
  ...paymentRequirements,
  ...cancelOrderRequirements,
  ...backOfficeOrderRequirements,
  ...invoiceRequirements,
  ...deliveryOptionRequirements,
  ...invoiceDocumentRequirements,
  ...changeRequirements,
  ...failureRequirements,
  ...deadlineRequirements,
  ...parallelCallerRequirements,
]
