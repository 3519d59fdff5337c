import { deliveryOptions, type FixtureDelivery, pickupPlaces } from '../../../fixtures/delivery.ts'
import { HttpError } from '../http/http-error.ts'
import { ExactDecimal, formatAmount, sumAmounts } from '../money.ts'
import type { DeliveryOption, DeliveryRequest } from '../protocol/delivery-operations.ts'
import type { OperationHandlers } from '../protocol/operation-handlers.ts'
import type { OrderDraft } from '../protocol/order-schemas.ts'
import type { DocumentStore } from '../storage/document-store.ts'
import type { CustomerStore } from './customer-store.ts'
import type { LedgerTax } from './order-totals.ts'

export interface DeliveryOptionStore {
  /** Returns the delivery of a draft as the ledger offers it now; `undefined`: it does not. */
  findForDraft(draft: OrderDraft): DeliveryOption | undefined
  /** Changes the price of an option, before tax. */
  setPrice(optionId: string, price: string): object
  handlers: Pick<OperationHandlers<'accounting'>, 'listDeliveryOptions'>
}

const TAX = 'GCT'

/** The deliveries of one account. Files of earlier versions have none, so only changed prices are stored. */
export function openDeliveryOptionStore(store: DocumentStore, customers: CustomerStore): DeliveryOptionStore {
  const taxes = store.all<LedgerTax>('taxes')
  const changedPrices = store.all<{ price: string }>('delivery_prices')

  function listOptions(request: DeliveryRequest): DeliveryOption[] {
    const tax = taxes.get(customers.require(request.customer_id).tax_exempt ? 'EXEMPT' : TAX)!
    const region = request.shipping_address?.region
    return deliveryOptions
      .filter(({ regions }) => regions === null || (region && regions.includes(region)))
      .map((option) => toOption(option, request, tax))
  }

  function toOption(option: FixtureDelivery, { goods_total, tax_included }: DeliveryRequest, tax: LedgerTax) {
    const { delivery_option_id, name, description, fulfillment_method, free_from } = option
    const isFree = free_from !== null && new ExactDecimal(goods_total).gte(free_from)
    const net = isFree ? '0' : (changedPrices.get(delivery_option_id)?.price ?? option.price)
    const price = tax_included ? new ExactDecimal(net).times(new ExactDecimal(tax.rate).plus(1)) : net
    return {
      delivery_option_id,
      name,
      description,
      fulfillment_method,
      price: formatAmount(price),
      tax: { ...tax },
      pickup_places: fulfillment_method === 'PICKUP' ? pickupPlaces : [],
    }
  }

  return {
    findForDraft({ customer_id, lines, totals, shipping_address, fulfillment_method, delivery }) {
      const { tax_included } = totals
      const goods_total = sumAmounts(lines.map(({ line_total }) => line_total)).toFixed()
      const option = listOptions({ customer_id, lines, goods_total, tax_included, shipping_address }).find(
        ({ delivery_option_id }) => delivery_option_id === delivery?.delivery_option_id,
      )
      if (option?.fulfillment_method !== fulfillment_method) return undefined
      const places = option.pickup_places.map(({ pickup_place_id }) => pickup_place_id)
      const place = delivery?.pickup_place?.pickup_place_id
      return places.length === 0 || (place && places.includes(place)) ? option : undefined
    },
    setPrice(optionId, price) {
      if (!deliveryOptions.some(({ delivery_option_id }) => delivery_option_id === optionId))
        throw new HttpError(404, 'not_found', 'the delivery option does not exist')
      store.put('delivery_prices', optionId, { price })
      changedPrices.set(optionId, { price })
      return { delivery_option_id: optionId, price }
    },
    handlers: { listDeliveryOptions: ({ body }) => ({ data: listOptions(body) }) },
  }
}
