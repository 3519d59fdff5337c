import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { toTrytonDecimal } from '../../../adapters/tryton/client/tryton-values.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Clerk } from '../../adapters/conformance/subject.ts'
import { createCall } from '../../support/create-call.ts'
import { takeFromStock } from './take-from-tryton-stock.ts'
import { trytonSeriesDifferences } from './tryton-series-differences.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Prices = responseSchema(Type.Array(Type.Object({ list_price: Type.Object({ decimal: Type.String() }) })))

/** The actions of staff in Tryton during the conformance suite. */
export function createConformanceClerk(rpc: Rpc): Omit<Clerk, 'read' | 'shipPart'> {
  const find = async (model: string, domain: unknown[]) =>
    (await rpc(Ids, `${model}.search`, [domain, 0, 1, [['id', 'ASC']]], createCall()))[0]!
  const act = (method: string, ...params: unknown[]) => rpc(Anything, method, params, createCall())

  return {
    async product() {
      const id = await find('product.product', [['code', '=', 'CLT-001']])
      await act('product.product.write', [id], { description: `Looked at on ${new Date().toISOString()}` })
      return 'CLT-001'
    },
    /** Takes one item out of stock. */
    async stock() {
      await takeFromStock(rpc, 'CLT-001', 1)
      return 'CLT-001'
    },
    async price() {
      const id = await find('product.template', [['code', '=', 'CLT-001']])
      const [row] = await rpc(Prices, 'product.template.read', [[id], ['list_price']], createCall())
      const raised = (Number(row!.list_price.decimal) + 1).toFixed(2)
      await act('product.template.write', [id], { list_price: toTrytonDecimal(raised) })
      return 'CLT-001'
    },
    async order() {
      const id = await find('sale.sale', [['web_id', '=', 'ord_demo0late']])
      await act('sale.sale.write', [id], { comment: `Looked at on ${new Date().toISOString()}` })
      return String(id)
    },
    async invoice() {
      const id = await find('account.invoice', [['sales.web_id', '=', 'ord_demo0part']])
      const [row] = (await act('account.invoice.read', [id], ['payment_lines'])) as { payment_lines: number[] }[]
      await act('account.invoice.write', [id], { payment_lines: [['add', row!.payment_lines]] })
      return String(id)
    },
    async ship(orderId) {
      const domain = [['moves.sale', '=', Number(orderId)]]
      const parcels = await rpc(Ids, 'stock.shipment.out.search', [domain, 0, null, null], createCall())
      for (const step of trytonSeriesDifferences().shipmentSteps) await act(`stock.shipment.out.${step}`, parcels)
      // Tryton ignores a step that the state of a shipment does not allow.
      const sentDomain = [...domain, ['state', '=', 'done']]
      const sent = await rpc(Ids, 'stock.shipment.out.search', [sentDomain, 0, null, null], createCall())
      if (sent.length === 0) throw new Error(`nothing of order ${orderId} could be shipped`)
    },
    async bill(orderId) {
      const domain = [['sales', '=', Number(orderId)]]
      await act('account.invoice.post', await rpc(Ids, 'account.invoice.search', [domain, 0, null, null], createCall()))
    },
  }
}

/** Creates a deactivated customer, whose orders are refused. */
export async function createInactiveCustomer(rpc: Rpc): Promise<string> {
  const name = 'Retired Customer'
  const domain = [
    ['name', '=', name],
    ['active', '=', false],
  ]
  const [there] = await rpc(Ids, 'party.party.search', [domain, 0, 1, null], createCall())
  if (there) return String(there)
  const [id] = await rpc(Ids, 'party.party.create', [[{ name }]], createCall())
  await rpc(Anything, 'party.party.write', [[id], { active: false }], createCall())
  return String(id)
}
