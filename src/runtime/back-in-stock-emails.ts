import type { BackInStockListener } from '../changes/feed/catalog-change-listener.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import { composeEmail, type Email, type Mailer } from '../operations/email.ts'
import type { Database } from '../storage/database.ts'
import { listVerifiedEmails } from '../storage/shoppers/shopper-accounts.ts'
import type { Tenant } from '../tenant.ts'

/** A company may have an account for each of its buyers. */
const MAX_RECIPIENTS = 5

type BackInStockNotice = Parameters<BackInStockListener>[1]

export interface BackInStockEmailParts {
  db: Database
  mailer: Mailer
  merchants: readonly MerchantConfig[]
  onError(error: unknown): void
}

/** Returns a function that emails the accounts of a customer whose product is in stock again. Only verified addresses get one. */
export function createBackInStockMailer({
  db,
  mailer,
  merchants,
  onError,
}: BackInStockEmailParts): BackInStockListener {
  async function send(tenant: Tenant, notice: BackInStockNotice): Promise<void> {
    const merchant = merchants.find((one) => one.merchant === tenant.merchant)
    if (!merchant) return
    for (const to of await listVerifiedEmails(db, tenant, notice.customerId, MAX_RECIPIENTS))
      mailer.send(createBackInStockEmail(merchant, to, notice))
  }
  return (tenant, notice) => void send(tenant, notice).catch(onError)
}

/** The name of a product is the merchant's own text, in one line. */
function createBackInStockEmail(merchant: MerchantConfig, to: string, { sku, name }: BackInStockNotice): Email {
  const product = name.replace(/\s+/g, ' ').trim().slice(0, 120) || sku
  return composeEmail(merchant, {
    to,
    subject: `${product} is back in stock`,
    paragraphs: [
      `You asked us to tell you when ${product} (${sku}) is available again. It is available now.`,
      'We cannot reserve it for you, so order soon. This is the only email about this request.',
    ],
  })
}
