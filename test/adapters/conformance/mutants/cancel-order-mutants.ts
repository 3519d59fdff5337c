import type { CancelOrderResult, Order } from '../../../../src/ports/order.ts'
import { both, changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

const changeOrder = (change: (order: Order) => Order) =>
  changeResult('accounting.order', (order) => order && change(order))
const changeCancellation = (change: (result: CancelOrderResult) => CancelOrderResult) =>
  changeResult('accounting.cancelOrder', (result) => result && change(result))

const sentCancellations = new Set<string>()
const failedCancellations = new Set<string>()

export const cancelOrderMutants = mutantsOf(
  'accounting.cancelOrder',
  [
    'reports a cancellation that did not happen',
    'releases the credit',
    changeMethod('accounting.cancelOrder', (_, { accounting }) => async (customer, key, { reason }, call) => {
      const order = await accounting.order(customer, key, call)
      return order && { state: 'cancelled', order: { ...order, status: 'CANCELLED', cancel_reason: reason } }
    }),
  ],
  [
    'overwrites the reason when a cancellation is repeated',
    'returns it unchanged when repeated',
    changeResult('accounting.cancelOrder', (result, _, __, { reason }) =>
      result?.state === 'cancelled' ? { ...result, order: { ...result.order, cancel_reason: reason } } : result,
    ),
  ],
  [
    'does not say when an order was cancelled',
    'cancels a confirmed order',
    changeCancellation((result) =>
      result.state === 'cancelled' ? { ...result, order: { ...result.order, cancelled_at: null } } : result,
    ),
  ],
  [
    'refuses to cancel an order again when a response was lost',
    'has one outcome',
    changeMethod('accounting.cancelOrder', (cancelOrder) => async (customer, key, why, call) => {
      const text = JSON.stringify(key)
      if (failedCancellations.has(text)) return { state: 'refused', status: 'CANCELLED' }
      failedCancellations.add(text)
      const result = await cancelOrder(customer, key, why, call)
      failedCancellations.delete(text)
      return result
    }),
  ],
  [
    'refuses to cancel an order that does not exist',
    'null for an unknown order',
    changeResult('accounting.cancelOrder', (result) => result ?? { state: 'refused', status: 'REJECTED' }),
  ],
  [
    'takes a shipped order for a delivered one',
    'shipped long ago',
    changeCancellation((result) => (result.state === 'refused' ? { ...result, status: 'DELIVERED' } : result)),
  ],
  ['does not return shipments', 'shows the shipment', changeOrder((order) => ({ ...order, shipments: [] }))],
  [
    'returns the day of a shipment without its time',
    'shows the shipment',
    changeOrder((order) => ({
      ...order,
      shipments: order.shipments.map((shipment) => ({ ...shipment, shipped_at: shipment.shipped_at.slice(0, 10) })),
    })),
  ],
  [
    'does not know which orders are invoiced',
    'refuses an invoiced order',
    changeOrder((order) => ({ ...order, invoiced: false })),
  ],
  [
    'believes that a cancellation was carried out which was only sent',
    'leaves a shipped order shipped',
    both(
      changeMethod('accounting.cancelOrder', (cancelOrder) => (customer, key, why, call) => {
        sentCancellations.add(JSON.stringify(key))
        return cancelOrder(customer, key, why, call)
      }),
      changeResult('accounting.order', (order, _, key) =>
        order && sentCancellations.has(JSON.stringify(key)) ? { ...order, status: 'CANCELLED' } : order,
      ),
    ),
  ],
)
