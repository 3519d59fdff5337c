import type { MerchantConfig } from '../config/merchant-config.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { Mailer } from '../operations/email.ts'
import type { CustomerKey } from '../storage/commerce/customer-key.ts'
import type { Database } from '../storage/database.ts'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { Tenant } from '../tenant.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { RequestScope } from '../upstream/request/request-scope.ts'
import type { WebhookSendFunction } from '../webhooks/delivery-attempt-types.ts'
import type { ActionThrottle } from './action-throttle.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** The dependencies that all commands share. */
export interface CommandDependencies {
  db: Database
  mailer: Mailer
  passwordHasher: PasswordHasher
  throttle: ActionThrottle
  secretCipher: SecretCipher
  /** Makes one delivery attempt. */
  sendWebhook: WebhookSendFunction
  endpointRules: EndpointRules
  /** Milliseconds since the epoch. */
  now: () => number
}

/** The tenant and the request that a command runs for. */
export interface CommandContext {
  commerce: CommandDependencies
  tenant: Tenant
  merchant: MerchantConfig
  backOffice: BackOffice
  requestScope: RequestScope
}

/** The context of a command for a signed-in shopper. */
export interface CustomerCommandContext extends CommandContext {
  customerId: string
}

export const toCustomerKey = ({ tenant, customerId }: CustomerCommandContext): CustomerKey => ({
  ...tenant,
  customer_id: customerId,
})
