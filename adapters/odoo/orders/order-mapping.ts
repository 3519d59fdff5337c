import { Decimal } from 'decimal.js'
import type {
  Order,
  OrderDraft,
  OrderLine,
  OrderStatus,
  OrderTotals,
  Shipment,
  TaxTotal,
} from '../../../src/ports/order.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toIsoTime, toText } from '../client/odoo-values.ts'
import type { OdooContext } from '../context.ts'
import { toAddress } from '../customers/addresses.ts'
import { combineTaxes, isWithoutTax, type TaxRow } from '../pricing/combined-tax.ts'
import { includesTax, isMixedCart } from '../pricing/prices-without-tax.ts'
import type { OrderAttachments } from './order-attachments.ts'
import { toStatus } from './order-status.ts'
import type { LineRow, PickingRow, SaleRow } from './sale-schemas.ts'

export interface OrderSources {
  facts: OdooContext['facts']
  formatAmount: OdooContext['formatAmount']
  digits: number
  countryCode: string
  taxes: ReadonlyMap<number, TaxRow>
  units: ReadonlyMap<number, { name: string }>
}

/** Returns an order as Odoo has it, with the members of its draft that Odoo does not store. */
export function toOrder(row: SaleRow, { decision, cancellation }: OrderAttachments, sources: OrderSources): Order {
  // After staff gave the order to another customer, that customer may not see what the first one wrote.
  const draft = decision?.draft?.customer_id === String(row.partner_id) ? decision.draft : null
  const status = toStatus(row)
  const own = toOwnMembers(row, sources)
  // Staff may have changed the order: then its lines and totals are those of Odoo.
  const isUnchanged =
    draft !== null && hasSameLines(row, draft, sources) && new Decimal(row.amount_total).eq(draft.totals.total)
  const cancelledAt = status === 'CANCELLED' ? (cancellation?.at ?? toIsoTime(row.write_date)) : null
  return {
    order_id: String(row.id),
    order_number: row.name,
    reference: decision?.reference ?? null,
    customer_id: String(row.partner_id),
    currency: sources.facts.currency,
    payment_method: draft?.payment_method ?? 'CREDIT_TERMS',
    fulfillment_method: draft?.fulfillment_method ?? 'DELIVERY',
    ...(draft?.delivery && { delivery: draft.delivery }),
    shipping_address: draft ? draft.shipping_address : own.shippingAddress,
    billing_address: draft ? draft.billing_address : own.billingAddress,
    contact: draft?.contact ?? null,
    po_number: toText(row.client_order_ref),
    notes: draft?.notes ?? null,
    requested_date: row.commitment_date ? row.commitment_date.slice(0, 10) : null,
    lines: isUnchanged ? draft.lines : own.lines,
    promotions: isUnchanged ? draft.promotions : [],
    totals: isUnchanged ? draft.totals : toTotals(row, own.lines, sources),
    status,
    payment_status: 'NOT_REQUIRED',
    placed_at: toIsoTime(row.date_order),
    updated_at: toUpdatedAt(row),
    shipments: toShipments(row),
    invoiced: row.invoice_ids.some(({ state }) => state === 'posted'),
    cancelled_at: cancelledAt,
    cancel_reason: status === 'CANCELLED' ? (cancellation?.reason ?? null) : null,
    history: toHistory(row, status, cancelledAt),
  }
}

interface Written {
  write_date: string
}

/** Returns the latest write of an order, its deliveries and its invoices. */
export function toUpdatedAt(
  row: Written & { picking_ids: readonly Written[]; invoice_ids: readonly Written[] },
): string {
  const times = [row, ...row.picking_ids, ...row.invoice_ids].map(({ write_date }) => write_date)
  return toIsoTime(times.reduce((latest, time) => (time > latest ? time : latest)))
}

const isShipped = ({ state, picking_type_code, date_done }: PickingRow) =>
  state === 'done' && picking_type_code === 'outgoing' && date_done !== false

function toOwnMembers(row: SaleRow, sources: OrderSources) {
  const { countryCode } = sources
  return {
    shippingAddress: row.partner_shipping_id ? toAddress(row.partner_shipping_id, countryCode) : null,
    billingAddress: row.partner_invoice_id ? toAddress(row.partner_invoice_id, countryCode) : null,
    lines: goodsOf(row).map((line) => toLine(line, sources, isMixed(row, sources))),
  }
}

const goodsOf = ({ order_line }: SaleRow) => order_line.filter(({ display_type }) => !display_type)

const isMixed = (row: SaleRow, { taxes }: Pick<OrderSources, 'taxes'>) =>
  isMixedCart(goodsOf(row).flatMap(({ tax_ids }) => combineTaxes(tax_ids, taxes) ?? []))

/** Returns the price of a line. In an order with prices that include tax and prices that do not, it is without tax, after the discount. */
function toPrice(line: LineRow, isMixedOrder: boolean) {
  if (!isMixedOrder) return { unit: line.price_unit, discount: line.discount }
  const quantity = new Decimal(line.product_uom_qty)
  return { unit: quantity.isZero() ? line.price_unit : new Decimal(line.price_subtotal).div(quantity), discount: 0 }
}

function toLine(line: LineRow, { formatAmount, digits, taxes, units }: OrderSources, isMixedOrder: boolean): OrderLine {
  const round = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP)
  const tax = combineTaxes(line.tax_ids, taxes)
  const { unit, discount } = toPrice(line, isMixedOrder)
  const gross = round(new Decimal(unit).times(line.product_uom_qty))
  return {
    sku: (line.product_id && toText(line.product_id.default_code)) || '',
    name: line.name.split('\n')[0]!,
    quantity: formatDecimal(line.product_uom_qty),
    uom: (line.product_uom_id && units.get(line.product_uom_id)?.name) || 'Units',
    order_uom: null,
    order_quantity: null,
    unit_price: formatAmount(isMixedOrder ? new Decimal(unit).toFixed() : round(unit).toFixed()),
    list_unit_price: null,
    discount: formatAmount(round(gross.times(discount).div(100)).toFixed()),
    tax: {
      code: tax?.code ?? 'TAX',
      rate: formatDecimal(tax?.rate ?? 0),
      amount: formatAmount(round(line.price_tax).toFixed()),
    },
    line_total: formatAmount(round(line.price_total).toFixed()),
  }
}

function toTotals(
  row: SaleRow,
  lines: readonly OrderLine[],
  { formatAmount, digits, taxes }: OrderSources,
): OrderTotals {
  const format = (value: Decimal.Value) =>
    formatAmount(new Decimal(value).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed())
  const isIncluded =
    !isMixed(row, { taxes }) && row.order_line.some(({ tax_ids }) => combineTaxes(tax_ids, taxes)?.isIncluded)
  const subtotals = lines.map(({ unit_price, quantity }) => new Decimal(unit_price).times(quantity))
  return {
    subtotal: format(Decimal.sum(0, ...subtotals)),
    discount_total: format(Decimal.sum(0, ...lines.map(({ discount }) => discount))),
    tax_total: format(row.amount_tax),
    shipping_total: format(0),
    total: format(row.amount_total),
    tax_included: isIncluded,
    taxes: toTaxTotals(row, taxes, format),
  }
}

function toTaxTotals(row: SaleRow, taxes: OrderSources['taxes'], format: (value: Decimal.Value) => string): TaxTotal[] {
  const lines = goodsOf(row)
  const groups = Map.groupBy(lines, ({ tax_ids }) => combineTaxes(tax_ids, taxes)?.code ?? 'TAX')
  return [...groups].map(([code, group]) => {
    const tax = combineTaxes(group[0]!.tax_ids, taxes)
    return {
      code,
      name: tax?.name ?? 'Tax',
      rate: formatDecimal(tax?.rate ?? 0),
      base: format(Decimal.sum(0, ...group.map(({ price_subtotal }) => price_subtotal))),
      amount: format(Decimal.sum(0, ...group.map(({ price_tax }) => price_tax))),
    }
  })
}

/** True when an order has the lines of a draft: same goods, quantities and prices, in the same order, and then the delivery. */
function hasSameLines(row: SaleRow, { lines, delivery, totals }: OrderDraft, { taxes, digits }: OrderSources): boolean {
  // Taxes that are rounded over a document can differ by a unit in one line.
  const tolerance = new Decimal(10).pow(-digits)
  const all = goodsOf(row)
  const own = delivery ? all.slice(0, -1) : all
  if (delivery && !new Decimal(totals.shipping_total).eq(all.at(-1)?.price_unit ?? -1)) return false
  return (
    own.length === lines.length &&
    own.every((ownLine, i) => {
      const { product_id, product_uom_qty, price_unit } = ownLine
      const line = lines[i]!
      const isSameSku = product_id !== false && product_id.default_code === line.sku
      const isSamePrice = isConverted(ownLine, totals, taxes)
        ? new Decimal(line.line_total).minus(ownLine.price_total).abs().lte(tolerance)
        : new Decimal(line.unit_price).eq(price_unit)
      return isSameSku && new Decimal(line.quantity).eq(product_uom_qty) && isSamePrice
    })
  )
}

/** Returns whether the draft has a price without tax for a line whose price in Odoo includes tax. */
const isConverted = ({ tax_ids }: LineRow, { tax_included }: OrderTotals, taxes: OrderSources['taxes']) => {
  const tax = combineTaxes(tax_ids, taxes)
  return !tax_included && tax !== null && includesTax(tax) && !isWithoutTax(tax)
}

/** Returns the deliveries that left, the first one first. */
const toShipments = ({ picking_ids }: SaleRow): Shipment[] =>
  picking_ids
    .filter(isShipped)
    .sort((a, b) => a.id - b.id)
    .map(toShipment)
    .sort((a, b) => (a.shipped_at < b.shipped_at ? -1 : a.shipped_at > b.shipped_at ? 1 : 0))

function toShipment(picking: PickingRow): Shipment {
  return {
    shipment_id: picking.name,
    carrier: picking.carrier_id ? picking.carrier_id.name : null,
    tracking_number: toText(picking.carrier_tracking_ref),
    tracking_url: toText(picking.carrier_tracking_url),
    shipped_at: toIsoTime(picking.date_done || picking.write_date),
    lines: picking.move_ids
      .filter(({ state }) => state === 'done')
      .map(({ product_id, quantity }) => ({
        sku: (product_id && toText(product_id.default_code)) || '',
        quantity: formatDecimal(quantity),
      })),
  }
}

function toHistory(row: SaleRow, status: OrderStatus, cancelledAt: string | null): Order['history'] {
  const confirmed = { status: 'CONFIRMED' as const, at: toIsoTime(row.date_order) }
  if (cancelledAt !== null) return [confirmed, { status: 'CANCELLED', at: cancelledAt }]
  const latest = toShipments(row).at(-1)?.shipped_at
  const isShipping = status === 'SHIPPED' || status === 'PARTIALLY_SHIPPED'
  return isShipping && latest !== undefined ? [confirmed, { status, at: latest }] : [confirmed]
}
