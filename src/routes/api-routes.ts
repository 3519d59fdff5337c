import { availability, availabilityBatch } from './catalog/availability.ts'
import { orderCancel } from './orders/cancel-order.ts'
import { cart, cartCreate } from './carts/cart.ts'
import { cartLineAdd, cartLineDelete, cartLineUpdate } from './carts/cart-lines.ts'
import { cartPrice } from './carts/cart-price.ts'
import { cartPromotionAdd, cartPromotionDelete } from './carts/cart-promotions.ts'
import { categories } from './catalog/categories.ts'
import { checkout } from './orders/checkout.ts'
import { creditStatus } from './shoppers/credit-status.ts'
import { events } from './webhooks/events.ts'
import { invoice } from './orders/invoice.ts'
import { invoices } from './orders/invoices.ts'
import { me } from './shoppers/me.ts'
import { order } from './orders/order.ts'
import { orders } from './orders/orders.ts'
import { paymentStatus } from './orders/payment-status.ts'
import { ping } from './meta/ping.ts'
import { product } from './catalog/product.ts'
import { productFitments } from './vehicles/product-fitments.ts'
import { products } from './catalog/products.ts'
import type { Route } from '../http/route.ts'
import { logInShopper, logOutShopper, refreshShopper, registerShopper } from './shoppers/shoppers.ts'
import { askForPasswordReset, confirmPasswordReset, verifyShopper } from './shoppers/email-confirmation.ts'
import { tags } from './catalog/tags.ts'
import { vehicleMakes, vehicleModels, vehicleYears } from './vehicles/vehicle-facets.ts'
import { vehicleProducts } from './vehicles/vehicle-products.ts'
import { webhook, webhookDelete, webhookUpdate } from './webhooks/subscription.ts'
import { webhookDeliveries, webhookDelivery } from './webhooks/deliveries.ts'
import { webhookRecover, webhookRedeliver } from './webhooks/redelivery.ts'
import { webhookDisable, webhookEnable, webhookPing, webhookRotateSecret } from './webhooks/subscription-actions.ts'
import { webhookCreate, webhooks } from './webhooks/subscriptions.ts'

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
