import { pastOrders } from '../../../../fixtures/orders.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

export const orderMutants = [
  ...mutantsOf(
    'accounting.orders',
    [
      'lists the oldest orders first',
      'newest first',
      changeResult('accounting.orders', (page) => ({ ...page, orders: page.orders.toReversed() })),
    ],
    [
      'lists orders of every status',
      'by status and by time',
      changeMethod(
        'accounting.orders',
        (orders) =>
          (customer, { status: _, ...query }, call) =>
            orders(customer, query, call),
      ),
    ],
    [
      'leaves out orders placed exactly at a time',
      'by time (inclusive)',
      changeResult('accounting.orders', (page, _, { placed_since }) => ({
        ...page,
        orders: page.orders.filter(({ placed_at }) => placed_at !== placed_since),
      })),
    ],
    [
      'does not check the customer of an order',
      'of the customer only',
      changeMethod('accounting.order', (order) => (_, key, call) => order('C-1001', key, call)),
    ],
    [
      'lists orders from the counter',
      'not placed online',
      changeResult('accounting.orders', (page) => {
        const [like] = page.orders
        return { ...page, orders: [...page.orders, { ...like!, order_id: pastOrders.atTheCounter.order_id }] }
      }),
    ],
  ),
  ...mutantsOf('accounting.order', [
    'takes a partial shipment for a complete one',
    'partial shipment',
    changeResult(
      'accounting.order',
      (order) => order && (order.shipments.length > 0 ? { ...order, status: 'SHIPPED' } : order),
    ),
  ]),
]
