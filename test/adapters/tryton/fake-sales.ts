import { Decimal } from 'decimal.js'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { toRpcError } from '../../../adapters/tryton/client/rpc-errors.ts'
import type { CreditReader } from '../../../adapters/tryton/customers/credit-reader.ts'
import { UpstreamError } from '../../../src/errors.ts'

interface Sale {
  id: number
  state: string
  web_id: string
  web_shop: number | undefined
  party: number
  description: string
  carrier: number | null
  version: number
}

const next: Record<string, [from: string, to: string]> = {
  'sale.sale.quote': ['draft', 'quotation'],
  'sale.sale.confirm': ['quotation', 'processing'],
  'sale.sale.process': ['confirmed', 'processing'],
}
const taxTable = new Map([
  [
    1,
    {
      ...{ id: 1, name: 'GCT', description: 'GCT', type: 'percentage', rate: { decimal: '0.15' } },
      ...{ update_unit_price: false, group: null, childs: [], start_date: null, end_date: null },
    },
  ],
])
const date = { year: 2026, month: 11, day: 21, hour: 9, minute: 0, second: 0, microsecond: 0 }

/** A fake of Tryton's sales as far as placing an order needs them: states, unique Web IDs, and checked timestamps. */
export function createFakeSales(untaxed = { draft: '300.00', quotation: '300.00' }, moreTax = '0') {
  const sales: Sale[] = []
  const drafts: { resource: string; description: string }[] = []
  const confirmed: number[] = []
  const shop = {
    sale_process_after: null as object | null,
    dies: false,
    series76: false,
    webShops: [{ id: 4 }],
    deliveryCost: '50.00',
  }
  const faults = new Map<string, { error: UpstreamError; done: boolean }>()
  const overtaking = new Set<string>()
  const asked: string[] = []

  const goodsOf = ({ state }: Sale) => new Decimal(state === 'draft' ? untaxed.draft : untaxed.quotation)
  /** A quotation adds the delivery. */
  const isDelivered = ({ state, carrier }: Sale) => carrier !== null && state !== 'draft'
  const netOf = (sale: Sale) => goodsOf(sale).plus(isDelivered(sale) ? shop.deliveryCost : 0)
  const shown = (sale: Sale) => {
    const net = netOf(sale)
    const amounts = {
      untaxed_amount: net,
      tax_amount: net.times('0.15').plus(moreTax),
      total_amount: net.times('1.15'),
    }
    return {
      ...sale,
      _timestamp: String(sale.version),
      create_date: date,
      write_date: null,
      number: '1',
      reference: null,
      comment: null,
      shipment_state: 'none',
      shipping_date: null,
      'currency.': { code: 'JMD' },
      shipment_address: null,
      invoice_address: null,
      ...Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, { decimal: value.toFixed(2) }])),
    }
  }

  /** The sale has three units of one product, and perhaps a delivery. */
  function linesOf(sale: Sale) {
    const common = { id: sale.id, sale: sale.id, description: null, taxes: [1] }
    const goods = {
      ...common,
      quantity: 3,
      'product.': { id: 1, code: 'PAD-001' },
      amount: { decimal: goodsOf(sale).toFixed(2) },
      unit_price: { decimal: goodsOf(sale).div(3).toFixed(4) },
    }
    const cost = { decimal: shop.deliveryCost }
    const delivery = {
      ...common,
      quantity: 1,
      'product.': { id: 2, code: null },
      ...{ amount: cost, unit_price: cost, shipment_cost: cost },
    }
    return isDelivered(sale) ? [goods, delivery] : [goods]
  }

  function create(values: Partial<Sale>): number[] {
    if (sales.some(({ web_id }) => web_id === values.web_id))
      throw toRpcError('sale.sale.create', ['UserError', ['The Web ID of sale must be unique.', '', null]])
    const { web_id = '', web_shop, party = 0, description = '', carrier = null, state = 'draft' } = values
    sales.push({ id: sales.length + 1, state, web_id, web_shop, party, description, carrier, version: 1 })
    return [sales.length]
  }

  function change(method: string, id: number, values: Partial<Sale>, context: { _timestamp?: Record<string, string> }) {
    const sale = sales.find((one) => one.id === id)!
    const asked = context._timestamp?.[`sale.sale,${id}`]
    const [from, to] = next[method] ?? [sale.state, method.endsWith('.cancel') ? 'cancelled' : sale.state]
    // As in Tryton, invalid transitions are skipped silently.
    if (sale.state !== from || (method.endsWith('.cancel') && !['draft', 'quotation'].includes(sale.state))) return
    if (asked !== undefined && asked !== String(sale.version))
      throw toRpcError(method, ['ConcurrencyException', 'Records were modified in the meanwhile'])
    Object.assign(sale, values, { state: to, version: sale.version + 1 })
    if (method === 'sale.sale.confirm') confirmed.push(id)
    if (method === 'sale.sale.confirm' && shop.dies) sale.state = 'confirmed'
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever is asked
  function act(method: string, params: any[], context: object): unknown {
    const [first] = params
    if (method === 'sale.sale.on_change') return [{ invoice_address: 1, shipment_address: 1, payment_term: 1 }]
    if (method === 'sale.sale.create') return create(first[0])
    if (method === 'ir.attachment.create') return [drafts.push(first[0])]
    if (method === 'ir.attachment.search_read') return drafts.map((one, id) => ({ id, ...one }))
    if (method === 'sale.sale.search_read') return sales.filter(({ web_id }) => web_id === first[0][2]).map(shown)
    if (method === 'sale.line.search_read') return sales.filter(({ id }) => first[0][2].includes(id)).flatMap(linesOf)
    if (method === 'web.shop.search_read') return shop.webShops
    if (method === 'party.address.create') return [1]
    if (method === 'sale.configuration.read') return [shop]
    if (method.startsWith('sale.sale.')) return change(method, first[0], params[1] ?? {}, context)
    return []
  }

  const rpc = (async (
    answer: { parse(value: unknown): unknown },
    method: string,
    params: unknown[],
    _: unknown,
    context = {},
  ) => {
    await new Promise((resolve) => setImmediate(resolve))
    asked.push(method)
    const fault = faults.get(method)
    faults.delete(method)
    if (overtaking.delete(method)) for (const sale of sales) sale.version += 1
    if (fault && !fault.done) throw fault.error
    const value = act(method, params, context)
    if (fault) throw fault.error
    return answer.parse(JSON.parse(JSON.stringify(value ?? null)))
  }) as Rpc

  const credit = { readAvailableCredit: async () => new Decimal(999), credit: async () => null } as CreditReader
  const fail = (method: string, error: UpstreamError, done = false) => faults.set(method, { error, done })
  return {
    /** `dies`: after a sale is confirmed, and before it is processed. */
    shop,
    rpc,
    asked,
    sales,
    confirmed,
    credit,
    settings: {},
    taxes: { readTaxTable: async () => taxTable },
    facts: { timeZone: 'UTC', now: () => new Date() },
    capabilities: {
      require: async () => {},
      has: async (capability: string) => capability !== 'release76' || shop.series76,
    },
    failNext: (method: string, error: UpstreamError) => fail(method, error),
    refuseNext: (method: string, said: string) => fail(method, toRpcError(method, ['UserError', [said, '', null]])),
    /** Another user writes the sales just before the call. */
    overtakeNext: (method: string) => overtaking.add(method),
    /** The response is lost, after the work was done or instead of it. */
    loseNext: (method: string, when: 'after' | 'before' = 'after') =>
      fail(method, new UpstreamError('timeout', 'nothing came back'), when === 'after'),
  }
}
