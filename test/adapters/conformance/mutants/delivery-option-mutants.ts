import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'
import { toNumber } from './to-number.ts'

let price = 0

export const deliveryOptionMutants = mutantsOf(
  'accounting.deliveryOptions',
  [
    'prices each order at random',
    'the same each time',
    changeResult('accounting.deliveryOptions', (options) => {
      price += 1
      return options.map((option) => ({ ...option, price: `${price}.00` }))
    }),
  ],
  [
    'returns prices of deliveries as numbers',
    'with a price',
    changeResult('accounting.deliveryOptions', (options) =>
      options.map((option) => ({ ...option, price: toNumber(option.price) })),
    ),
  ],
  [
    'forgets the delivery of an order',
    'places an order with each',
    changeResult('accounting.order', (order) => order && { ...order, delivery: null }),
  ],
  [
    'takes a changed price of the delivery for missing goods',
    'another price',
    changeMethod('accounting.placeOrder', (placeOrder) => async (draft, call) => {
      const result = await placeOrder(draft, call)
      return result.state === 'refused' && draft.delivery ? { ...result, reason: 'LINE_UNAVAILABLE' } : result
    }),
  ],
)
