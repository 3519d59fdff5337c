import { availability, availabilityBatch } from './availability.ts'
import { orderCancel } from './cancel-order.ts'
import { cart, cartCreate } from './cart.ts'
import { cartLineAdd, cartLineDelete, cartLineUpdate } from './cart-lines.ts'
import { cartPrice } from './cart-price.ts'
import { cartPromotionAdd, cartPromotionDelete } from './cart-promotions.ts'
import { categories } from './categories.ts'
import { checkout } from './checkout.ts'
import { creditStatus } from './credit-status.ts'
import { events } from './events.ts'
import { invoice } from './invoice.ts'
import { invoices } from './invoices.ts'
import { me } from './me.ts'
import { order } from './order.ts'
import { orders } from './orders.ts'
import { paymentStatus } from './payment-status.ts'
import { ping } from './ping.ts'
import { product } from './product.ts'
import { productFitments } from './product-fitments.ts'
import { products } from './products.ts'
import type { Route } from './route.ts'
import { logInShopper, logOutShopper, refreshShopper, registerShopper } from './shoppers.ts'
import { askForPasswordReset, confirmPasswordReset, verifyShopper } from './shoppers-mailbox.ts'
import { tags } from './tags.ts'
import { vehicleMakes, vehicleModels, vehicleYears } from './vehicle-facets.ts'
import { vehicleProducts } from './vehicle-products.ts'
import { webhook, webhookDelete, webhookUpdate } from './webhook.ts'
import { webhookDeliveries, webhookDelivery } from './webhook-deliveries.ts'
import { webhookRecover, webhookRedeliver } from './webhook-recovery.ts'
import { webhookDisable, webhookEnable, webhookPing, webhookRotateSecret } from './webhook-state.ts'
import { webhookCreate, webhooks } from './webhooks.ts'

/** Every call of the API that takes a key; the OpenAPI document is made from this list. */
export const routes: readonly Route[] = [
  ping,
  products,
  product,
  categories,
  tags,
  availability,
  availabilityBatch,
  vehicleYears,
  vehicleMakes,
  vehicleModels,
  vehicleProducts,
  productFitments,
  registerShopper,
  logInShopper,
  refreshShopper,
  logOutShopper,
  askForPasswordReset,
  confirmPasswordReset,
  verifyShopper,
  me,
  creditStatus,
  cartCreate,
  cart,
  cartLineAdd,
  cartLineUpdate,
  cartLineDelete,
  cartPrice,
  cartPromotionAdd,
  cartPromotionDelete,
  checkout,
  paymentStatus,
  orders,
  order,
  orderCancel,
  invoices,
  invoice,
  webhooks,
  webhookCreate,
  webhook,
  webhookUpdate,
  webhookDelete,
  webhookDisable,
  webhookEnable,
  webhookRotateSecret,
  webhookPing,
  webhookDeliveries,
  webhookDelivery,
  webhookRedeliver,
  webhookRecover,
  events,
]
