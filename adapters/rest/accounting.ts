import { Type } from 'typebox'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import { shape } from '../../src/upstream/response-schema.ts'
import { amountsIn, plain } from '../amount-format.ts'
import { readable } from '../parse-rows.ts'
import type { RestSettings } from './adapter.ts'
import { OVERLAP_SECONDS } from './change-feed.ts'
import { credit } from './credit.ts'
import { customers } from './customers.ts'
import { invoices } from './invoices.ts'
import { orders } from './orders.ts'
import { asked, Decimal, Rows, withToken } from './protocol.ts'

const Taxes = shape(Type.Object({ data: Rows }))
const Row = shape(Type.Object({ sku: Type.String(), code: Type.String(), name: Type.String(), rate: Decimal }))

export function connectAccounting(settings: RestSettings, client: Client, { currency }: MerchantFacts): AccountingPort {
  const wire = withToken(client, settings)
  const amount = amountsIn(currency)
  return {
    maxSkus: 200,
    watermarkOverlapSeconds: OVERLAP_SECONDS,
    async taxes(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await wire.json(Taxes, { method: 'POST', path: '/taxes', body }, call)
      const taxes = readable(data, Row, ({ sku, code, name, rate }) => ({ sku, code, name, rate: plain(rate) }))
      return asked(skus, taxes)
    },
    ...customers(wire),
    ...credit(wire, amount, currency),
    ...orders(wire, amount),
    ...invoices(wire, amount),
  }
}
