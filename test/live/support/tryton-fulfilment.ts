import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'
import { trytonSeriesDifferences } from './tryton-series-differences.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Started = responseSchema(Type.Tuple([Type.Unknown(), Type.String(), Type.String()]))
const Form = responseSchema(
  Type.Object({ view: Type.Object({ defaults: Type.Record(Type.String(), Type.Unknown()) }) }),
)

/** The actions of the warehouse and of accounting on an order in Tryton. */
export function createFulfilment(rpc: Rpc) {
  const find = (model: string, domain: unknown[]) =>
    rpc(Ids, `${model}.search`, [domain, 0, null, [['id', 'ASC']]], createCallWithLongDeadline())
  const act = (method: string, ...params: unknown[]) => rpc(Anything, method, params, createCallWithLongDeadline())

  async function billsOf(reference: string): Promise<number[]> {
    return find('account.invoice', [['sales.web_id', '=', reference]])
  }

  return {
    async ship(reference: string): Promise<void> {
      const [sale] = await find('sale.sale', [['web_id', '=', reference]])
      const parcels = await find('stock.shipment.out', [['moves.sale', '=', sale]])
      for (const step of trytonSeriesDifferences().shipmentSteps) await act(`stock.shipment.out.${step}`, parcels)
    },
    async bill(reference: string): Promise<void> {
      await act('account.invoice.post', await billsOf(reference))
    },
    /** Pays in full by bank transfer. */
    async pay(reference: string): Promise<void> {
      const [bill] = await billsOf(reference)
      const [payment_method] = await find('account.invoice.payment.method', [])
      const at = { active_model: 'account.invoice', active_id: bill, active_ids: [bill] }
      const wizard = 'wizard.account.invoice.pay'
      const [session] = await rpc(Started, `${wizard}.create`, [], createCallWithLongDeadline(), at)
      const { view } = await rpc(Form, `${wizard}.execute`, [session, {}, 'start'], createCallWithLongDeadline(), at)
      // The name of a record comes with its id and must not be sent back.
      const fields = Object.entries(view.defaults).filter(([name]) => !name.endsWith('.'))
      const start = { description: null, ...Object.fromEntries(fields), payment_method }
      await rpc(Anything, `${wizard}.execute`, [session, { start }, 'choice'], createCallWithLongDeadline(), at)
      await rpc(Anything, `${wizard}.delete`, [session], createCallWithLongDeadline(), at)
    },
  }
}
