/** The operations that pages ask of the shop's server, which adds the secret key and the shopper's token. */
export const accountOperations = [
  'addCartLine',
  'addCartPromotion',
  'cancelOrder',
  'checkout',
  'createCart',
  'deleteCartLine',
  'deleteCartPromotion',
  'getCreditStatus',
  'getCurrentCart',
  'getInvoice',
  'getInvoiceDocument',
  'getMe',
  'getOrder',
  'getProduct',
  'listDeliveryOptions',
  'listInvoices',
  'listOrders',
  'listProducts',
  'listVehicleProducts',
  'priceCart',
  'reorder',
  'updateCartLine',
] as const

export type AccountOperation = (typeof accountOperations)[number]

/** The operations that open a session. Its tokens stay on the server. */
export const sessionOperations = ['logInShopper', 'registerShopper', 'verifyShopper'] as const

export type SessionOperation = (typeof sessionOperations)[number]
