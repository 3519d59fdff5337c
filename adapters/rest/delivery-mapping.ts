import { type Static, Type } from 'typebox'
import {
  type DeliveryOption,
  MAX_PICKUP_PLACES,
  type OrderDelivery,
  type PickupPlace,
} from '../../src/ports/delivery.ts'
import { formatDecimal } from '../decimal-format.ts'
import { AddressRow, toAddressOrNull } from './address-mapping.ts'
import { DecimalString, IdString, nullish, stringEnum, truncateText } from './protocol-values.ts'

const MAX_NAME_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 500

const PickupPlaceRow = Type.Object({
  pickup_place_id: IdString,
  name: Type.String(),
  description: nullish(Type.String()),
  address: nullish(AddressRow),
})

/** The delivery of an order. */
export const OrderDeliveryRow = Type.Object({
  delivery_option_id: IdString,
  name: Type.String(),
  pickup_place: nullish(PickupPlaceRow),
})

/** An option that an order may choose. */
export const DeliveryOptionRow = Type.Object({
  delivery_option_id: IdString,
  name: Type.String(),
  description: nullish(Type.String()),
  fulfillment_method: stringEnum('DELIVERY', 'PICKUP'),
  price: DecimalString,
  tax: Type.Object({ code: Type.String(), name: Type.Optional(Type.String()), rate: DecimalString }),
  pickup_places: nullish(Type.Array(PickupPlaceRow)),
})

export function toDeliveryOption(
  row: Static<typeof DeliveryOptionRow>,
  formatAmount: (value: string) => string,
): DeliveryOption {
  const { delivery_option_id, fulfillment_method, tax, pickup_places } = row
  return {
    delivery_option_id,
    name: row.name.slice(0, MAX_NAME_LENGTH),
    description: truncateText(row.description, MAX_DESCRIPTION_LENGTH),
    fulfillment_method,
    price: formatAmount(row.price),
    tax: { code: tax.code, name: (tax.name ?? tax.code).slice(0, MAX_NAME_LENGTH), rate: formatDecimal(tax.rate) },
    pickup_places: (pickup_places ?? []).slice(0, MAX_PICKUP_PLACES).map(toPickupPlace),
  }
}

function toPickupPlace({ pickup_place_id, name, description, address }: Static<typeof PickupPlaceRow>): PickupPlace {
  return {
    pickup_place_id,
    name: name.slice(0, MAX_NAME_LENGTH),
    description: truncateText(description, MAX_DESCRIPTION_LENGTH),
    address: toAddressOrNull(address),
  }
}

export function toOrderDelivery({
  delivery_option_id,
  name,
  pickup_place,
}: Static<typeof OrderDeliveryRow>): OrderDelivery {
  const place = pickup_place ? toPickupPlace(pickup_place) : null
  return { delivery_option_id, name: name.slice(0, MAX_NAME_LENGTH), pickup_place: place }
}
