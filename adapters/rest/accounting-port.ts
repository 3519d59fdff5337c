import { Type } from 'typebox'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createAmountFormatter, formatDecimal } from '../decimal-format.ts'
import type { RestSettings } from './adapter.ts'
import { WATERMARK_OVERLAP_SECONDS } from './change-feed.ts'
import { connectCredit } from './credit.ts'
import { connectCustomers } from './customers.ts'
import { createDeliveryOptionsReader } from './delivery-options-reader.ts'
import { connectInvoices } from './invoices.ts'
import { connectOrders } from './orders.ts'
import { parseRowsBySku } from './parse-requested-rows.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { DecimalString, UnknownRows } from './protocol-values.ts'

const TaxesShape = responseSchema(Type.Object({ data: UnknownRows }))
const TaxShape = responseSchema(
  Type.Object({ sku: Type.String(), code: Type.String(), name: Type.String(), rate: DecimalString }),
)

export function connectAccounting(
  protocol: ProtocolClient,
  { currency }: MerchantFacts,
  { credit_reservation }: RestSettings,
): AccountingPort {
  const formatAmount = createAmountFormatter(currency)
  return {
    maxSkus: 200,
    watermarkOverlapSeconds: WATERMARK_OVERLAP_SECONDS,
    ...(credit_reservation && {
      creditReservation: { exposureDelaySeconds: credit_reservation.exposure_delay_seconds },
    }),
    async taxes(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await protocol.json(
        TaxesShape,
        { method: 'POST', path: '/taxes', body, rows: skus.length },
        call,
      )
      return parseRowsBySku(skus, data, TaxShape, ({ sku, code, name, rate }) => ({
        sku,
        code,
        name,
        rate: formatDecimal(rate),
      }))
    },
    ...connectCustomers(protocol),
    ...connectCredit(protocol, formatAmount, currency),
    deliveryOptions: createDeliveryOptionsReader(protocol, formatAmount),
    ...connectOrders(protocol, formatAmount),
    ...connectInvoices(protocol, formatAmount),
  }
}
