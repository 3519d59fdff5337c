import { Type } from 'typebox'
import type { AccountingPort } from '../../src/ports/accounting.ts'
import { MAX_DELIVERY_OPTIONS } from '../../src/ports/delivery.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { DeliveryOptionRow, toDeliveryOption } from './delivery-mapping.ts'
import { isNotOffered, type ProtocolClient } from './protocol-client.ts'
import { UnknownRows } from './protocol-values.ts'

const OptionShape = responseSchema(DeliveryOptionRow)
const OptionsShape = responseSchema(Type.Object({ data: UnknownRows }))

/** Returns a function that reads the delivery options of an order. A system of an earlier protocol does not have the operation. */
export function createDeliveryOptionsReader(
  { jsonOrNull }: Pick<ProtocolClient, 'jsonOrNull'>,
  formatAmount: (value: string) => string,
): Required<AccountingPort>['deliveryOptions'] {
  return async ({ customerId, codes: _, ...query }, call) => {
    const body = { customer_id: customerId, ...query }
    const request = { method: 'POST', path: '/delivery-options', body, isNotFound: isNotOffered } as const
    const response = await jsonOrNull(OptionsShape, { ...request, rows: MAX_DELIVERY_OPTIONS }, call)
    const rows = response?.data.slice(0, MAX_DELIVERY_OPTIONS) ?? []
    return parseRows(rows, OptionShape, (row) => toDeliveryOption(row, formatAmount))
  }
}
