import { expect } from 'chai'
import type { TrytonContext } from '../../../adapters/tryton/context.ts'
import { readOpenOrderTotal } from '../../../adapters/tryton/customers/open-order-total.ts'
import { createInvoiceChangeFeed } from '../../../adapters/tryton/invoices/invoice-changes.ts'
import { createInvoiceReader } from '../../../adapters/tryton/invoices/invoice-reader.ts'
import { createOrderChangeFeed } from '../../../adapters/tryton/orders/order-changes.ts'
import { createOrderReader } from '../../../adapters/tryton/orders/order-reader.ts'
import { createCall } from '../../support/create-call.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { answering, capabilities } from './fake-rpc.ts'

describe('tryton: several companies in one database', () => {
  const contextOf = (company?: number) => {
    const { rpc, asked } = answering({ 'sale.sale.search_count': 0, 'account.invoice.search_count': 0 })
    const taxes = { readTaxTable: async () => new Map() }
    const context = {
      rpc,
      capabilities,
      taxes,
      settings: { company },
      facts: trytonMerchant,
    } as unknown as TrytonContext
    return { context, asked }
  }
  const page = { limit: 10, offset: 0 }
  const reads: Record<string, (context: TrytonContext) => Promise<unknown>> = {
    'the orders of a customer': (context) => createOrderReader(context).orders('3', page, createCall()),
    'an order': (context) => createOrderReader(context).order('3', { order_id: '7' }, createCall()),
    'orders that changed': (context) =>
      createOrderChangeFeed(context, createOrderReader(context))(
        { since: '2026-11-21T00:00:00Z', ...page },
        createCall(),
      ),
    'the invoices of a customer': (context) =>
      createInvoiceReader(context).invoices('3', { ...page, today: '2026-11-21' }, createCall()),
    'invoices that changed': (context) =>
      createInvoiceChangeFeed(context)({ since: '2026-11-21T00:00:00Z', ...page }, createCall()),
    'the open orders of a customer': (context) => readOpenOrderTotal(context, 3, createCall()),
  }

  for (const [name, read] of Object.entries(reads))
    it(`are separated for ${name}`, async () => {
      for (const company of [undefined, 2]) {
        const { context, asked } = contextOf(company)
        await read(context)
        const found = asked.filter(([method]) => /^(sale\.sale|account\.invoice)\.search/.test(method))
        const own = found.filter(([, [domain]]) => JSON.stringify(domain).includes(`["company","=",${company ?? 1}]`))
        // Reads of invoices by sale need no company: the sales were found by company.
        const others = found.filter(([, [domain]]) => !JSON.stringify(domain).includes('["sales","in"'))
        expect(own.length).to.equal(others.length).and.above(0)
      }
    })
})
