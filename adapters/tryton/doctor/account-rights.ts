import type { System } from '../../../src/ports/system.ts'

export type AccessRight = 'read' | 'write' | 'create' | 'delete'

/** Rights that the account needs on some models, and their purpose. */
export interface RightsRequirement {
  systems: readonly System[]
  models: readonly string[]
  rights: readonly AccessRight[]
  purpose: string
  /** The first series of Tryton that needs them. */
  since?: number
}

const READ: readonly AccessRight[] = ['read']
const READ_AND_WRITE: readonly AccessRight[] = ['read', 'write', 'create']
const INVENTORY: readonly System[] = ['inventory']
const PRICING: readonly System[] = ['pricing']
const ACCOUNTING: readonly System[] = ['accounting']

/** The minimum rights of the account of a storefront; docs/tryton.md describes how to create such a group. */
export const requiredRights: readonly RightsRequirement[] = [
  {
    systems: ['inventory', 'pricing', 'accounting'],
    rights: READ,
    purpose: 'products',
    models: ['product.product', 'product.template', 'product.category', 'product.uom'],
  },
  { systems: INVENTORY, models: ['product.attribute'], rights: READ, purpose: 'brands, part numbers and options' },
  { systems: INVENTORY, models: ['stock.location', 'stock.move'], rights: READ, purpose: 'stock' },
  {
    systems: PRICING,
    rights: READ,
    purpose: 'contract prices',
    models: ['party.party', 'product.price_list', 'product.price_list.line'],
  },
  {
    systems: ['pricing', 'accounting'],
    rights: READ,
    purpose: 'promotions',
    models: ['sale.promotion', 'sale.promotion.coupon.number'],
  },
  { systems: INVENTORY, models: ['ir.attachment'], rights: READ, purpose: 'pictures' },
  {
    systems: ['pricing', 'accounting'],
    rights: READ,
    purpose: 'taxes',
    models: ['account.tax', 'account.tax.rule', 'account.tax.rule.line'],
  },
  {
    systems: ACCOUNTING,
    rights: READ_AND_WRITE,
    purpose: 'reading and registering customers',
    models: ['party.party', 'party.address', 'party.contact_mechanism'],
  },
  {
    systems: ACCOUNTING,
    rights: READ,
    purpose: 'addresses',
    models: ['country.country', 'country.subdivision', 'currency.currency', 'company.company'],
  },
  {
    systems: ACCOUNTING,
    rights: READ,
    purpose: 'credit',
    models: [
      'account.account',
      'account.account.type',
      'account.move',
      'account.move.line',
      'party.party.credit_limit_amount',
    ],
  },
  { systems: ACCOUNTING, models: ['sale.sale', 'sale.line'], rights: READ_AND_WRITE, purpose: 'orders' },
  {
    systems: ACCOUNTING,
    rights: READ_AND_WRITE,
    purpose: 'placing and reading orders',
    models: ['ir.attachment'],
  },
  { systems: ACCOUNTING, models: ['res.user.warning'], rights: READ_AND_WRITE, purpose: 'placing orders' },
  {
    systems: ACCOUNTING,
    rights: READ,
    purpose: 'placing orders',
    models: ['sale.configuration', 'account.configuration', 'account.journal'],
  },
  { systems: ACCOUNTING, models: ['carrier', 'carrier.selection'], rights: READ, purpose: 'delivery options' },
  { systems: ACCOUNTING, models: ['web.shop'], rights: READ, purpose: 'placing orders', since: 7.6 },
  {
    systems: ACCOUNTING,
    rights: READ,
    purpose: 'shipments of orders',
    models: ['stock.shipment.out', 'stock.move'],
  },
  {
    systems: ACCOUNTING,
    rights: READ,
    purpose: 'invoices',
    models: [
      'account.invoice',
      'account.invoice.line',
      'account.invoice.tax',
      'account.invoice.payment_term',
      'account.invoice.payment_term.line',
      'account.invoice.payment_term.line.delta',
    ],
  },
]

/** Buttons that the account must be allowed to press, and their purpose. */
export const requiredButtons: readonly { model: string; names: readonly string[]; purpose: string }[] = [
  { model: 'sale.sale', names: ['quote', 'confirm', 'process'], purpose: 'placing orders' },
  {
    model: 'sale.sale',
    purpose: 'cancelling orders',
    names: ['draft', 'cancel', 'handle_shipment_exception', 'handle_invoice_exception'],
  },
  { model: 'stock.shipment.out', names: ['cancel'], purpose: 'cancelling orders' },
  { model: 'account.invoice', names: ['cancel'], purpose: 'cancelling orders' },
]

/** Rights that no storefront needs and that could do harm. */
export const excessiveRights: readonly { model: string; rights: readonly AccessRight[] }[] = [
  { model: 'account.move', rights: ['write', 'create', 'delete'] },
  { model: 'account.invoice', rights: ['write', 'create', 'delete'] },
  { model: 'product.template', rights: ['write', 'create', 'delete'] },
  { model: 'product.price_list', rights: ['write', 'create', 'delete'] },
  { model: 'stock.move', rights: ['write', 'create', 'delete'] },
  { model: 'sale.sale', rights: ['delete'] },
  { model: 'party.party', rights: ['delete'] },
]

/** An account that may write these can grant itself every right. */
export const ADMINISTRATION_MODELS = ['res.user', 'res.group', 'ir.model.access'] as const
