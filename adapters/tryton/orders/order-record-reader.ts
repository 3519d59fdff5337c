import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { ResponseSchema } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable, TrytonDate, TrytonDecimal, TrytonId, timestampFields } from '../client/tryton-values.ts'
import { companyDomain } from '../company-domain.ts'
import type { TrytonContext } from '../context.ts'
import { type AddressRow, readAddresses } from '../customers/addresses.ts'
import { readAttachedDrafts } from './order-draft-attachment.ts'
import { withOutcome } from './sale-outcome-text.ts'

const Text = nullable(Type.String())
const Product = Type.Optional(nullable(Type.Object({ id: TrytonId, code: Text, name: Type.Optional(Type.String()) })))

const SaleRow = Type.Object({
  id: TrytonId,
  ...timestampFields,
  number: Text,
  web_id: Text,
  description: Text,
  reference: Text,
  comment: Text,
  state: Type.String(),
  shipment_state: Type.String(),
  party: TrytonId,
  _timestamp: Type.String(),
  shipment_address: nullable(TrytonId),
  invoice_address: nullable(TrytonId),
  shipping_date: nullable(TrytonDate),
  'currency.': Type.Object({ code: Type.String() }),
  untaxed_amount: TrytonDecimal,
  tax_amount: TrytonDecimal,
  total_amount: TrytonDecimal,
  coupons: Type.Optional(Type.Array(TrytonId)),
})
const SaleLineRow = Type.Object({
  id: TrytonId,
  sale: TrytonId,
  description: Text,
  quantity: nullable(Type.Number()),
  unit_price: nullable(TrytonDecimal),
  amount: TrytonDecimal,
  taxes: Type.Array(TrytonId),
  /** The price before the promotion of the quotation, up to 7.4 and from 7.6 on. */
  draft_unit_price: Type.Optional(nullable(TrytonDecimal)),
  original_unit_price: Type.Optional(nullable(TrytonDecimal)),
  promotion: Type.Optional(nullable(TrytonId)),
  /** The cost of the delivery, on the line that Tryton adds for it. */
  shipment_cost: Type.Optional(nullable(TrytonDecimal)),
  'product.': Product,
  'unit.': Type.Optional(nullable(Type.Object({ symbol: Type.String() }))),
})
const StockMoveRow = Type.Object({
  id: TrytonId,
  ...timestampFields,
  sale: nullable(TrytonId),
  state: Type.String(),
  shipment: Text,
  quantity: Type.Number(),
  'product.': Product,
})
const InvoiceRow = Type.Object({
  id: TrytonId,
  ...timestampFields,
  sales: Type.Array(TrytonId),
  state: Type.String(),
  _timestamp: Type.String(),
})
const SaleRows = responseSchema(Type.Array(SaleRow))
const LineRows = responseSchema(Type.Array(SaleLineRow))
const MoveRows = responseSchema(Type.Array(StockMoveRow))
const InvoiceRows = responseSchema(Type.Array(InvoiceRow))
export type SaleRow = Static<typeof SaleRow>
export type SaleLineRow = Static<typeof SaleLineRow>
export type StockMoveRow = Static<typeof StockMoveRow>

/** Fields of modules that a server may lack. */
const OPTIONAL_FIELDS = ['id', 'coupons', 'draft_unit_price', 'original_unit_price', 'promotion', 'shipment_cost']
const requestFields = (properties: object, dotted: string[]) => [
  ...Object.keys(properties).filter((field) => !field.endsWith('.') && !OPTIONAL_FIELDS.includes(field)),
  ...dotted,
]
const SALE_FIELDS = requestFields(SaleRow.properties, ['currency.code'])
const LINE_FIELDS = requestFields(SaleLineRow.properties, ['product.code', 'product.name', 'unit.symbol'])
const MOVE_FIELDS = requestFields(StockMoveRow.properties, ['product.code'])
const INVOICE_FIELDS = requestFields(InvoiceRow.properties, [])
const LINE_ORDER = [
  ['sequence', 'ASC NULLS FIRST'],
  ['id', 'ASC'],
]

/** Everything that Tryton holds of one order. */
export interface OrderRecords {
  sale: SaleRow
  lines: SaleLineRow[]
  /** The lines that Tryton added for the delivery. */
  deliveryLines: SaleLineRow[]
  /** The moves of goods between the warehouse and the customer. */
  moves: StockMoveRow[]
  invoices: Static<typeof InvoiceRow>[]
  draft: ReturnType<Awaited<ReturnType<typeof readAttachedDrafts>>>
  addresses: AddressRow[]
}

/** A domain of the sales of the storefront: those with a Web ID. */
export const storefrontSalesDomain = (context: Pick<TrytonContext, 'settings'>): unknown[] => [
  companyDomain(context),
  ['web_id', '!=', null],
  ['web_id', '!=', ''],
]

export interface PageWindow {
  offset?: number
  limit?: number | null
  order?: unknown[]
}

export async function readSales(
  { rpc, capabilities }: TrytonContext,
  domain: unknown[],
  call: Call,
  page: PageWindow = {},
): Promise<SaleRow[]> {
  const { offset = 0, limit = null, order = [['id', 'ASC']] } = page
  const fields = (await capabilities.has('coupons', call)) ? [...SALE_FIELDS, 'coupons'] : SALE_FIELDS
  const sales = await rpc(SaleRows, 'sale.sale.search_read', [domain, offset, limit, order, fields], call)
  return sales.map(withOutcome)
}

export interface SaleLines {
  lines: SaleLineRow[]
  deliveryLines: SaleLineRow[]
}

/** Reads the lines of sales, apart from those that Tryton added for a delivery. */
export async function readSaleLines(
  { rpc, capabilities }: TrytonContext,
  sales: readonly number[],
  call: Call,
): Promise<SaleLines> {
  const promotionFields = (await capabilities.has('promotions', call))
    ? [(await capabilities.has('release76', call)) ? 'original_unit_price' : 'draft_unit_price', 'promotion']
    : []
  const domain = [
    ['sale', 'in', sales],
    ['type', '=', 'line'],
  ]
  const costField = (await capabilities.has('shipmentCosts', call)) ? ['shipment_cost'] : []
  const fields = [...LINE_FIELDS, ...promotionFields, ...costField]
  const rows = await rpc(LineRows, 'sale.line.search_read', [domain, 0, null, LINE_ORDER, fields], call)
  const isDelivery = ({ shipment_cost = null }: SaleLineRow) => shipment_cost !== null
  return { lines: rows.filter((row) => !isDelivery(row)), deliveryLines: rows.filter(isDelivery) }
}

export function readStockMoves({ rpc }: TrytonContext, sales: readonly number[], call: Call): Promise<StockMoveRow[]> {
  const params = [[['sale', 'in', sales]], 0, null, [['id', 'ASC']], MOVE_FIELDS]
  return rpc(MoveRows, 'stock.move.search_read', params, call)
}

/** Reads the records of sales in five calls, however many there are. */
export async function readOrderRecords(
  context: TrytonContext,
  sales: readonly SaleRow[],
  call: Call,
): Promise<OrderRecords[]> {
  if (sales.length === 0) return []
  const { rpc } = context
  const ids = sales.map(({ id }) => id)
  const readRows = <T>(rows: ResponseSchema<T>, model: string, domain: unknown[], order: unknown[], fields: string[]) =>
    rpc(rows, `${model}.search_read`, [domain, 0, null, order, fields], call)
  const byId = [['id', 'ASC']]
  const [{ lines, deliveryLines }, moves, invoices, draftOf, addresses] = await Promise.all([
    readSaleLines(context, ids, call),
    readStockMoves(context, ids, call),
    readRows(InvoiceRows, 'account.invoice', [['sales', 'in', ids]], byId, INVOICE_FIELDS),
    readAttachedDrafts(rpc, ids, call),
    readAddresses(context, [['id', 'in', addressIds(sales)]], call),
  ])
  return sales.map((sale) => ({
    sale,
    lines: lines.filter((row) => row.sale === sale.id),
    deliveryLines: deliveryLines.filter((row) => row.sale === sale.id),
    moves: moves.filter((row) => row.sale === sale.id),
    invoices: invoices.filter((row) => row.sales.includes(sale.id)),
    draft: draftOf(sale),
    addresses,
  }))
}

const addressIds = (sales: readonly SaleRow[]) =>
  sales.flatMap((sale) => [sale.shipment_address, sale.invoice_address].filter((id) => id !== null))
