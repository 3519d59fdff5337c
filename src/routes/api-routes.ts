import type { Route } from '../http/route.ts'
import { createCartRoute, getCartRoute } from './carts/cart.ts'
import { addCartLineRoute, deleteCartLineRoute, updateCartLineRoute } from './carts/cart-lines.ts'
import { addCartPromotionRoute, deleteCartPromotionRoute } from './carts/cart-promotions.ts'
import { listDeliveryOptionsRoute } from './carts/delivery-options.ts'
import { getCurrentCartRoute, listCartsRoute } from './carts/open-carts.ts'
import { priceCartRoute } from './carts/price-cart.ts'
import { getAvailabilityBatchRoute, getAvailabilityRoute } from './catalog/availability.ts'
import { getCategoriesRoute } from './catalog/categories.ts'
import { lookUpNumberRoute } from './catalog/number-lookup.ts'
import { getProductRoute } from './catalog/product.ts'
import { listProductsRoute } from './catalog/products.ts'
import { suggestRoute } from './catalog/suggest.ts'
import { getTagsRoute } from './catalog/tags.ts'
import { pingRoute } from './meta/ping.ts'
import { checkoutRoute } from './orders/checkout.ts'
import { getInvoiceDocumentRoute } from './orders/invoice-document.ts'
import { getInvoiceRoute, listInvoicesRoute } from './orders/invoices.ts'
import { cancelOrderRoute, getOrderRoute, listOrdersRoute } from './orders/orders.ts'
import { getPaymentStatusRoute } from './orders/payment-status.ts'
import { reorderRoute } from './orders/reorder.ts'
import { deleteBackInStockRoute, listBackInStockRoute, requestBackInStockRoute } from './shoppers/back-in-stock.ts'
import { getCreditStatusRoute } from './shoppers/credit-status.ts'
import { getMeRoute } from './shoppers/me.ts'
import { askForPasswordResetRoute, confirmPasswordResetRoute } from './shoppers/password-reset.ts'
import {
  logInShopperRoute,
  logOutShopperRoute,
  refreshShopperRoute,
  registerShopperRoute,
} from './shoppers/shoppers.ts'
import { verifyShopperRoute } from './shoppers/verify-shopper.ts'
import { listProductFitmentsRoute } from './vehicles/product-fitments.ts'
import { listVehicleMakesRoute, listVehicleModelsRoute, listVehicleYearsRoute } from './vehicles/vehicle-facets.ts'
import { listVehicleProductsRoute } from './vehicles/vehicle-products.ts'
import { getWebhookDeliveryRoute, listWebhookDeliveriesRoute } from './webhooks/deliveries.ts'
import { listEventsRoute } from './webhooks/events.ts'
import { recoverWebhookRoute } from './webhooks/recover-webhook.ts'
import { redeliverWebhookRoute } from './webhooks/redeliver-webhook.ts'
import {
  disableWebhookRoute,
  enableWebhookRoute,
  pingWebhookRoute,
  rotateWebhookSecretRoute,
} from './webhooks/subscription-actions.ts'
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listWebhooksRoute,
  updateWebhookRoute,
} from './webhooks/subscriptions.ts'

/** Every route of the API that requires a key. The OpenAPI document is generated from this list. */
export const apiRoutes: readonly Route[] = [
  pingRoute,
  listProductsRoute,
  getProductRoute,
  suggestRoute,
  lookUpNumberRoute,
  getCategoriesRoute,
  getTagsRoute,
  getAvailabilityRoute,
  getAvailabilityBatchRoute,
  listVehicleYearsRoute,
  listVehicleMakesRoute,
  listVehicleModelsRoute,
  listVehicleProductsRoute,
  listProductFitmentsRoute,
  registerShopperRoute,
  logInShopperRoute,
  refreshShopperRoute,
  logOutShopperRoute,
  askForPasswordResetRoute,
  confirmPasswordResetRoute,
  verifyShopperRoute,
  getMeRoute,
  getCreditStatusRoute,
  listBackInStockRoute,
  requestBackInStockRoute,
  deleteBackInStockRoute,
  listCartsRoute,
  createCartRoute,
  getCurrentCartRoute,
  getCartRoute,
  addCartLineRoute,
  updateCartLineRoute,
  deleteCartLineRoute,
  listDeliveryOptionsRoute,
  priceCartRoute,
  addCartPromotionRoute,
  deleteCartPromotionRoute,
  checkoutRoute,
  getPaymentStatusRoute,
  listOrdersRoute,
  getOrderRoute,
  cancelOrderRoute,
  reorderRoute,
  listInvoicesRoute,
  getInvoiceRoute,
  getInvoiceDocumentRoute,
  listWebhooksRoute,
  createWebhookRoute,
  getWebhookRoute,
  updateWebhookRoute,
  deleteWebhookRoute,
  disableWebhookRoute,
  enableWebhookRoute,
  rotateWebhookSecretRoute,
  pingWebhookRoute,
  listWebhookDeliveriesRoute,
  getWebhookDeliveryRoute,
  redeliverWebhookRoute,
  recoverWebhookRoute,
  listEventsRoute,
]
