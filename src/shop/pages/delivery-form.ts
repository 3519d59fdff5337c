import type { DeliveryOption, PriceCartIn } from '../../client/browser.ts'
import { el } from './dom.ts'
import { formatPrice } from './format.ts'
import { form } from './notices.ts'

/** A delivery, or one choice for each of its pickup places. */
export function toDeliveries({ delivery_option_id, name, price, pickup_places }: DeliveryOption) {
  if (pickup_places.length === 0) return [{ label: `${name}, ${formatPrice(price)}`, choice: { delivery_option_id } }]
  return pickup_places.map(({ pickup_place_id, name: place }) => {
    return { label: `${name}: ${place}`, choice: { delivery_option_id, pickup_place_id } }
  })
}

/** Prices the cart again when another delivery is chosen. */
export function deliveryForm(deliveries: ReturnType<typeof toDeliveries>, price: (choice?: PriceCartIn) => unknown) {
  const options = deliveries.map(({ label }) => el('option', {}, label))
  const select = el('select', { id: 'delivery', change: () => choose.requestSubmit() }, options)
  const reprice = () => price(deliveries[select.selectedIndex]?.choice)
  const choose: HTMLFormElement = form({}, reprice, el('label', { class: 'field' }, 'Delivery', select))
  return choose
}
