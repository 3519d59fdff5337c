import { html } from 'lit-html'
import type { DeliveryOption, PriceCartIn } from '../../client/browser.ts'
import { formatPrice } from './format.ts'
import { type ControlEvent, form } from './notices.ts'

/** A delivery, or one choice for each of its pickup places. */
export function toDeliveries({ delivery_option_id, name, price, pickup_places }: DeliveryOption) {
  if (pickup_places.length === 0) return [{ label: `${name}, ${formatPrice(price)}`, choice: { delivery_option_id } }]
  return pickup_places.map(({ pickup_place_id, name: place }) => {
    return { label: `${name}: ${place}`, choice: { delivery_option_id, pickup_place_id } }
  })
}

/** Prices the cart again when another delivery is chosen. */
export function deliveryForm(deliveries: ReturnType<typeof toDeliveries>, price: (choice?: PriceCartIn) => unknown) {
  const change = ({ currentTarget }: ControlEvent<HTMLSelectElement>) => currentTarget.form?.requestSubmit()
  const options = deliveries.map(({ label }, index) => html`<option value=${index}>${label}</option>`)
  const content = html`
    <label class="field">Delivery <select name="delivery" id="delivery" @change=${change}>${options}</select></label>`
  return form(({ delivery }) => price(deliveries[Number(delivery)]?.choice), content)
}
