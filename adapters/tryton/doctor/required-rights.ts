import type { System } from '../../../src/ports/system.ts'

export type AccessRight = 'read' | 'write' | 'create' | 'delete'

/** What the account needs of some models, and what fails without it. */
export interface RightsRequirement {
  systems: readonly System[]
  models: readonly string[]
  rights: readonly AccessRight[]
  for: string
}

const READ: readonly AccessRight[] = ['read']
const KEEP: readonly AccessRight[] = ['read', 'write', 'create']
const INVENTORY: readonly System[] = ['inventory']
const PRICING: readonly System[] = ['pricing']
const ACCOUNTING: readonly System[] = ['accounting']

/** The least that a storefront's account can do with; docs tell how such a group is made. */
export const requiredRights: readonly RightsRequirement[] = [
  {
    ...{ systems: ['inventory', 'pricing', 'accounting'], rights: READ, for: 'products' },
    models: ['product.product', 'product.template', 'product.category', 'product.uom'],
  },
  { systems: INVENTORY, models: ['product.attribute'], rights: READ, for: 'brands and part numbers' },
  { systems: INVENTORY, models: ['stock.location', 'stock.move'], rights: READ, for: 'stock' },
  {
    ...{ systems: PRICING, rights: READ, for: 'contract prices' },
    models: ['party.party', 'product.price_list', 'product.price_list.line'],
  },
  {
    ...{ systems: ['pricing', 'accounting'], rights: READ, for: 'promotions' },
    models: ['sale.promotion', 'sale.promotion.coupon.number'],
  },
  { systems: INVENTORY, models: ['ir.attachment'], rights: READ, for: 'pictures' },
  {
    ...{ systems: ['pricing', 'accounting'], rights: READ, for: 'taxes' },
    models: ['account.tax', 'account.tax.rule', 'account.tax.rule.line'],
  },
  {
    ...{ systems: ACCOUNTING, rights: KEEP, for: 'customers, and those who register' },
    models: ['party.party', 'party.address', 'party.contact_mechanism'],
  },
  {
    ...{ systems: ACCOUNTING, rights: READ, for: 'addresses' },
    models: ['country.country', 'country.subdivision', 'currency.currency', 'company.company'],
  },
  {
    ...{ systems: ACCOUNTING, rights: READ, for: 'credit' },
    models: [
      ...['account.account', 'account.account.type', 'account.move', 'account.move.line'],
      'party.party.credit_limit_amount',
    ],
  },
  { systems: ACCOUNTING, models: ['sale.sale', 'sale.line'], rights: KEEP, for: 'orders' },
  {
    ...{ systems: ACCOUNTING, rights: KEEP, for: 'placing orders, and reading what was ordered' },
    models: ['ir.attachment'],
  },
  { systems: ACCOUNTING, models: ['res.user.warning'], rights: KEEP, for: 'placing orders' },
  {
    ...{ systems: ACCOUNTING, rights: READ, for: 'placing orders' },
    models: ['sale.configuration', 'account.configuration', 'account.journal'],
  },
  {
    ...{ systems: ACCOUNTING, rights: READ, for: 'what was sent of an order' },
    models: ['stock.shipment.out', 'stock.move'],
  },
  {
    ...{ systems: ACCOUNTING, rights: READ, for: 'invoices' },
    models: [
      ...['account.invoice', 'account.invoice.line', 'account.invoice.tax', 'account.invoice.payment_term'],
      ...['account.invoice.payment_term.line', 'account.invoice.payment_term.line.delta'],
    ],
  },
]

/** Buttons that the account must be allowed to press, and what fails without them. */
export const requiredButtons: readonly { model: string; names: readonly string[]; for: string }[] = [
  { model: 'sale.sale', names: ['quote', 'confirm', 'process'], for: 'placing orders' },
  {
    ...{ model: 'sale.sale', for: 'cancelling orders' },
    names: ['draft', 'cancel', 'handle_shipment_exception', 'handle_invoice_exception'],
  },
  { model: 'stock.shipment.out', names: ['cancel'], for: 'cancelling orders' },
  { model: 'account.invoice', names: ['cancel'], for: 'cancelling orders' },
]

/** With these an account could do harm that no storefront has reason to. */
export const excessiveRights: readonly { model: string; rights: readonly AccessRight[] }[] = [
  { model: 'account.move', rights: ['write', 'create', 'delete'] },
  { model: 'account.invoice', rights: ['write', 'create', 'delete'] },
  { model: 'product.template', rights: ['write', 'create', 'delete'] },
  { model: 'product.price_list', rights: ['write', 'create', 'delete'] },
  { model: 'stock.move', rights: ['write', 'create', 'delete'] },
  { model: 'sale.sale', rights: ['delete'] },
  { model: 'party.party', rights: ['delete'] },
]

/** Whoever may write these may give himself every right. */
export const ADMINISTRATION_MODELS = ['res.user', 'res.group', 'ir.model.access'] as const
