import type { ProblemCode } from '../problem-types.ts'
import type { MALFORMED_REQUEST_CODE } from './server/malformed-requests.ts'

/** The remedy of a storefront for each problem: docs/errors.md and the API reference list it. */
export const problemRemedies: Readonly<Record<ProblemCode | typeof MALFORMED_REQUEST_CODE, string>> = {
  bad_request: 'Send well-formed HTTP without long pauses. The request line and the headers may have at most 16 KiB.',
  missing_api_key: 'Send `Authorization: Bearer <key>` with each call.',
  invalid_api_key: 'Copy the key again. If it was revoked or has expired, ask the merchant for another.',
  missing_shopper_token: 'Sign the shopper in, and send the `shopper_token` as `X-Storefront-Shopper-Token`.',
  invalid_shopper_token: 'Refresh the session with its `refresh_token`. If that fails, sign the shopper in again.',
  invalid_credentials: 'Let the shopper try again, or set a new password: `POST /v1/shoppers/password-reset`.',
  invalid_refresh_token: 'Sign the shopper in again. A refresh token works once.',
  invalid_signature: 'Sign the raw bytes of the body with the `hook_secret` of the merchant.',
  publishable_key_not_allowed: 'Call from your server with a secret key. Never put a secret key into a page.',
  insufficient_scope: 'Use a key with the scope that `detail` names.',
  origin_not_allowed: 'Use a key whose origins include that of the page. The merchant can issue one.',
  sandbox_disabled: 'Use a live key, or a server that runs the sandbox.',
  shopper_merchant_mismatch: 'Send the shopper token of the same merchant as the key.',
  not_found: '`detail` says what does not exist and which id to send. Show “not found”; a retry does not help.',
  document_not_available:
    'Hide the link to the document. The amounts of the invoice are in `GET /v1/invoices/{invoice_id}`.',
  method_not_allowed: 'Use a method that the `Allow` header lists.',
  idempotency_in_flight: 'Wait for `Retry-After`, then send the same request again with the same key.',
  cart_converted:
    'Create a new cart. `order_id` is the order that the cart became. If there is no `order_id`, a checkout is in progress: repeat the request after `Retry-After`.',
  cart_empty: 'Add a line before the checkout.',
  cart_full: 'Remove lines, or order in two carts.',
  price_changed: 'Read the cart again, show the new total, and check out with it as `expected_total`.',
  line_unavailable: 'Remove the lines whose SKUs are in `skus`, or offer a replacement.',
  account_on_hold: 'Ask the shopper to contact the shop. No order is possible while the account is on hold.',
  payment_method_not_allowed: 'Offer a payment method that `GET /v1/me` lists.',
  order_not_cancellable: 'Show `current_status`. The shopper must contact the shop.',
  product_in_stock: 'Let the shopper add the product to the cart.',
  back_in_stock_limit: 'Let the shopper delete a request: `GET /v1/me/back-in-stock` lists them.',
  subscription_exists: 'Change the existing subscription, which `subscription_id` names.',
  subscription_limit: 'Delete a subscription that you do not need.',
  subscription_disabled: 'Enable it: `POST /v1/webhooks/{subscription_id}/enable`.',
  cart_expired: 'Create a new cart and add the lines again.',
  cart_version_mismatch: 'Read the cart again, and repeat the change with the new `version` if it still applies.',
  payload_too_large: 'Send less in one call. `detail` names the limit.',
  unsupported_media_type:
    'Send JSON with `Content-Type: application/json`, not compressed or with gzip, deflate or br.',
  rate_limited: 'Wait for `Retry-After`. Cache and revalidate: a 304 from the cache does not count.',
  internal_error: 'Retry a read once. Report `request_id`.',
  downstream_error: 'Retry a read after `Retry-After`. Report the problem if it persists.',
  downstream_unavailable: 'Retry after `Retry-After`. Keep the page usable meanwhile.',
  circuit_open: 'Retry after `Retry-After`. Calls before that fail at once.',
  maintenance: 'Show when the maintenance of this part of the shop ends: `until`. Retry after that time.',
  store_unavailable:
    'Retry after `Retry-After`; retry a checkout with the same `Idempotency-Key`. Catalog reads still work.',
  catalog_loading: 'Retry after `Retry-After`.',
  overloaded: 'Retry after `Retry-After`, with a random delay.',
  downstream_timeout: 'Retry a read after `Retry-After`.',
}
