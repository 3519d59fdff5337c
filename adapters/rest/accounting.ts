import { Type } from 'typebox'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import type { Client } from '../../src/ports/adapter.ts'
import { shape } from '../../src/upstream/shape.ts'
import { plain } from '../amount.ts'
import { readable } from '../readable.ts'
import type { RestSettings } from './adapter.ts'
import { asked, Decimal, Rows, withToken } from './wire.ts'

const Taxes = shape(Type.Object({ data: Rows }))
const Row = shape(Type.Object({ sku: Type.String(), code: Type.String(), name: Type.String(), rate: Decimal }))

export function connectAccounting(settings: RestSettings, client: Client): AccountingPort {
  const { json } = withToken(client, settings)
  return {
    maxSkus: 200,
    async taxes(skus, customerId, call) {
      if (skus.length === 0) return []
      const body = { skus, customer_id: customerId }
      const { data } = await json(Taxes, { method: 'POST', path: '/taxes', body }, call)
      const taxes = readable(data, Row, ({ sku, code, name, rate }) => ({ sku, code, name, rate: plain(rate) }))
      return asked(skus, taxes)
    },
  }
}
