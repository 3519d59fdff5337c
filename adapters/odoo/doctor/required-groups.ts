import type { PortName } from '../../../src/ports/system.ts'

/** A group of Odoo that the user needs, and the rights that it is needed for. */
export interface RequiredGroup {
  /** Its external id. */
  id: string
  name: string
  purpose: string
  systems: PortName[]
  rights: [systems: PortName[], model: string, operation: 'read' | 'create' | 'write'][]
  /** The fields that only this group, or one that includes it, may read. */
  fields: [systems: PortName[], model: string, field: string][]
}

export const requiredGroups: readonly RequiredGroup[] = [
  {
    id: 'base.group_user',
    name: 'Internal User',
    purpose: 'products',
    systems: ['inventory', 'pricing', 'accounting'],
    rights: [[['inventory', 'pricing', 'accounting'], 'product.product', 'read']],
    fields: [],
  },
  {
    id: 'base.group_partner_manager',
    name: 'Contact Creation',
    purpose: 'customers and their addresses',
    systems: ['accounting'],
    rights: [[['accounting'], 'res.partner', 'create']],
    fields: [],
  },
  {
    id: 'sales_team.group_sale_salesman_all_leads',
    name: 'Sales: User: All Documents',
    purpose: 'orders and price lists',
    systems: ['pricing', 'accounting'],
    rights: [
      [['pricing', 'accounting'], 'product.pricelist.item', 'read'],
      [['accounting'], 'sale.order', 'create'],
    ],
    fields: [],
  },
  {
    id: 'stock.group_stock_user',
    name: 'Inventory: User',
    purpose: 'stock and deliveries',
    systems: ['inventory', 'accounting'],
    rights: [
      [['inventory'], 'stock.quant', 'read'],
      [['inventory'], 'stock.location', 'read'],
      [['inventory', 'accounting'], 'stock.move', 'read'],
      [['accounting'], 'stock.picking', 'write'],
    ],
    fields: [],
  },
  {
    id: 'account.group_account_readonly',
    name: 'Show Accounting Features - Readonly',
    purpose: 'invoices, credit and taxes',
    systems: ['pricing', 'accounting'],
    rights: [
      [['pricing', 'accounting'], 'account.tax', 'read'],
      [['accounting'], 'account.move', 'read'],
    ],
    fields: [
      [['pricing', 'accounting'], 'res.partner', 'credit_limit'],
      [['accounting'], 'res.partner', 'credit'],
      [['accounting'], 'account.move', 'invoice_payments_widget'],
    ],
  },
]
