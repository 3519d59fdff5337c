import type { MerchantConfig } from '../config/merchant-config.ts'
import { composeEmail, type Email } from '../operations/email.ts'
import type { EndpointStatusChange } from './record-delivery-results.ts'

/** The email that tells a merchant's developers that one of their endpoints keeps failing, or that it was disabled. */
export function createFailingEndpointEmail(
  merchant: MerchantConfig,
  to: string,
  { subscription, to: status, reason }: EndpointStatusChange,
): Email {
  const { subscription_id, endpoint_url, mode } = subscription
  const isDisabled = status === 'DISABLED'
  const path = `/v1/webhooks/${subscription_id}`
  const responses = `To see how the endpoint responded, call GET ${path}/deliveries.`
  return composeEmail(merchant, {
    to,
    subject: `${isDisabled ? 'Webhook endpoint disabled' : 'Webhook endpoint is failing'}: ${merchant.name}`,
    paragraphs: [
      `Endpoint: ${endpoint_url}\nSubscription: ${subscription_id} (${mode})`,
      ...(isDisabled
        ? [
            reason === 'GONE' ? GONE : FAILED_FOR_DAYS,
            `${responses} When the endpoint works again, enable it with POST ${path}/enable, then send the missed events with POST ${path}/recover.`,
            'If you no longer use this endpoint, ignore this email.',
          ]
        : [
            FAILING,
            `${responses} Fix the endpoint before it is disabled.`,
            'If the endpoint already works again, ignore this email. The next successful delivery clears this status.',
          ]),
    ],
  })
}

const GONE = 'The endpoint responded with 410 Gone. We no longer send events to it.'
const FAILED_FOR_DAYS = 'Deliveries to this endpoint have failed for five days. We no longer send events to it.'
const FAILING =
  'All delivery attempts of three events in a row have failed. Each event was tried for about two days. We still send events to this endpoint, and will disable it after five days without a successful delivery.'
