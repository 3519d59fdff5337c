import { expect } from 'chai'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { toRpcError } from '../../../adapters/tryton/client/rpc-errors.ts'
import type { TrytonContext } from '../../../adapters/tryton/context.ts'
import { connectCancelOrder } from '../../../adapters/tryton/orders/cancel-order.ts'
import type { OrderReader } from '../../../adapters/tryton/orders/order-reader.ts'
import type { SaleRow, StockMoveRow } from '../../../adapters/tryton/orders/order-record-reader.ts'
import { toOrderStatus } from '../../../adapters/tryton/orders/order-status.ts'
import { isUnplacedSale } from '../../../adapters/tryton/orders/placed-sales.ts'
import { formatCancellation } from '../../../adapters/tryton/orders/sale-outcome-text.ts'
import { createCall } from '../../support/create-call.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'

describe('tryton: an order that is being cancelled', () => {
  const description = formatCancellation({ at: '2026-11-21T12:00:00.000Z', reason: 'OTHER', note: null })
  const statusAt = (sale: object, moves: string[]) =>
    toOrderStatus({
      sale: { description, shipment_state: 'waiting', ...sale } as SaleRow,
      moves: moves.map((state) => ({ state }) as StockMoveRow),
    })

  it('is not reported as cancelled until its sale has ended, so that a retry continues', () => {
    expect(statusAt({ state: 'processing' }, ['cancelled', 'draft'])).to.equal('CONFIRMED')
    expect(statusAt({ state: 'processing' }, ['cancelled', 'cancelled'])).to.equal('CONFIRMED')
    expect(statusAt({ state: 'draft' }, [])).to.equal('CONFIRMED')
    expect(isUnplacedSale({ state: 'draft', description } as SaleRow)).to.equal(false)
    expect(statusAt({ state: 'done' }, ['cancelled', 'cancelled'])).to.equal('CANCELLED')
    expect(statusAt({ state: 'done' }, [])).to.equal('CANCELLED')
    expect(statusAt({ state: 'cancelled' }, [])).to.equal('CANCELLED')
  })

  it('is not changed when its invoice was posted after it was marked', async () => {
    const asked: string[] = []
    const rpc = (async (_: unknown, method: string) => asked.push(method)) as unknown as Rpc
    const sale = { id: 7, state: 'processing', shipment_state: 'waiting', description, _timestamp: '1' }
    const records = { sale, moves: [{ id: 1, state: 'draft' }], invoices: [{ id: 2, state: 'posted' }] }
    const orders = { readRecords: async () => records } as unknown as OrderReader
    const { cancelOrder: cancel } = connectCancelOrder(
      { rpc, facts: trytonMerchant } as unknown as TrytonContext,
      orders,
    )
    const why = { reason: 'OTHER', note: null }
    expect(await cancel('3', { reference: 'ord_1' }, why, createCall())).to.deep.equal({
      state: 'refused',
      status: 'CONFIRMED',
    })
    expect(asked).to.deep.equal([])
  })

  it('is not changed when other orders share its shipment or invoice', async () => {
    const why = { reason: 'OTHER', note: null }
    for (const [shipped, billed, left] of [
      [[7, 8], [7], true],
      [[7, null], [7, 8], true],
      [[7, null, 7], [7], false],
    ] as const) {
      const asked: string[] = []
      const rpc = (async (_: unknown, method: string) => {
        asked.push(method)
        if (method === 'stock.shipment.out.search_read') return [{ id: 5, state: 'waiting', _timestamp: '1' }]
        return method === 'stock.move.search_read' ? shipped.map((sale) => ({ sale })) : [1, 'session', 'end']
      }) as unknown as Rpc
      const sale = { id: 7, state: 'processing', shipment_state: 'waiting', description, _timestamp: '1' }
      const moves = [{ id: 1, state: 'draft', shipment: 'stock.shipment.out,5' }]
      const records = { sale, moves, invoices: [{ id: 2, state: 'draft', sales: billed, _timestamp: '1' }] }
      const orders = { readRecords: async () => records, toOrders: async () => [{}] } as unknown as OrderReader
      const { cancelOrder: cancel } = connectCancelOrder(
        { rpc, facts: trytonMerchant, capabilities: { has: async () => false } } as unknown as TrytonContext,
        orders,
      )
      const answer = await cancel('3', { reference: 'ord_1' }, why, createCall()).catch(() => null)
      expect(asked.includes('stock.shipment.out.cancel')).to.equal(!left)
      if (left) expect(answer).to.deep.equal({ state: 'refused', status: 'CONFIRMED' })
    }
  })

  for (const [has, ignored] of [
    [false, [undefined, undefined]],
    [true, [[1], [2]]],
  ] as const)
    it(`is cancelled although another process took a step, ${has ? 'from 7.6 on' : 'before 7.6'}`, async () => {
      const sale = { id: 7, state: 'processing', shipment_state: 'waiting', description, _timestamp: '1' }
      const moves = [{ id: 1, state: 'draft', shipment: 'stock.shipment.out,5' }]
      const invoices = [{ id: 2, state: 'draft', sales: [7], _timestamp: '1' }]
      const records = { sale, moves, invoices }
      const asked: { ignore_moves?: number[]; ignore_invoices?: number[] }[] = []
      const rpc = (async (_: unknown, method: string, params: [number, { ask: object }]) => {
        if (method === 'stock.move.search_read') return [{ sale: 7 }]
        if (method === 'stock.shipment.out.search_read') return [{ id: 5, state: 'waiting', _timestamp: '1' }]
        if (method === 'stock.shipment.out.cancel') {
          moves[0]!.state = 'cancelled'
          throw toRpcError(method, [
            'UserError',
            ['You can not call "cancel" on "5" of "Customer Shipment".', '', null],
          ])
        }
        if (method === 'account.invoice.cancel') invoices[0]!.state = 'cancelled'
        if (method.endsWith('.execute')) asked.push(params[1].ask)
        if (method === 'wizard.sale.handle.invoice.exception.execute') sale.state = 'done'
        return [1, 'session', 'end']
      }) as unknown as Rpc
      const orders = { readRecords: async () => records, toOrders: async () => [{}] } as unknown as OrderReader
      const context = { rpc, facts: trytonMerchant, capabilities: { has: async () => has } }
      const { cancelOrder: cancel } = connectCancelOrder(context as unknown as TrytonContext, orders)
      const answer = await cancel('3', { reference: 'ord_1' }, { reason: 'OTHER', note: null }, createCall())
      expect(answer).to.have.property('state', 'cancelled')
      expect([asked[0]!.ignore_moves, asked[1]!.ignore_invoices]).to.deep.equal(ignored)
    })

  for (const [sent, how, status] of [
    ['before', 'ignores the step', 'SHIPPED'],
    ['during', 'ignores the step', 'SHIPPED'],
    ['during', 'compares the time of the last write', 'SHIPPED'],
    ['on its way', 'would take it back', 'CONFIRMED'],
  ] as const)
    it(`keeps its invoice and its shipment that is sent ${sent} the cancellation, where Tryton ${how}`, async () => {
      const sale = { id: 7, state: 'processing', shipment_state: 'waiting', description, _timestamp: '1' }
      const move = { id: 1, state: 'draft', shipment: 'stock.shipment.out,5' }
      const invoices = [{ id: 2, state: 'draft', sales: [7], _timestamp: '1' }]
      const shipment = { id: 5, state: sent === 'on its way' ? 'shipped' : 'packed', _timestamp: '1' }
      const asked: string[] = []
      const contexts: unknown[] = []
      const send = () => {
        Object.assign(shipment, { state: 'done', _timestamp: '2' })
        move.state = 'done'
        sale.shipment_state = 'sent'
      }
      const rpc = (async (_: unknown, method: string, __: unknown, ___: unknown, context: unknown) => {
        asked.push(method)
        if (method === 'stock.move.search_read') return [{ sale: 7 }]
        if (method === 'stock.shipment.out.search_read') {
          if (sent === 'before') send()
          return [{ ...shipment }]
        }
        if (method !== 'stock.shipment.out.cancel') throw new Error(`${method} is not expected`)
        contexts.push(context)
        send()
        if (how !== 'ignores the step') throw toRpcError(method, ['ConcurrencyException', 'changed'])
        return null
      }) as unknown as Rpc
      const readRecords = async () => ({ sale: { ...sale }, moves: [{ ...move }], invoices })
      const orders = { readRecords } as unknown as OrderReader
      const context = { rpc, facts: trytonMerchant, capabilities: { has: async () => true } }
      const { cancelOrder: cancel } = connectCancelOrder(context as unknown as TrytonContext, orders)
      const answer = await cancel('3', { reference: 'ord_1' }, { reason: 'OTHER', note: null }, createCall())
      expect(answer).to.deep.equal({ state: 'refused', status })
      expect(asked.filter((method) => method.endsWith('.cancel'))).to.have.length(sent === 'during' ? 1 : 0)
      for (const one of contexts) expect(one).to.deep.include({ _timestamp: { 'stock.shipment.out,5': '1' } })
    })

  it('is cancelled when staff cancelled its moves without a mark', () => {
    expect(statusAt({ state: 'processing', description: 'ECOMMERCE' }, ['cancelled'])).to.equal('CANCELLED')
    expect(statusAt({ state: 'draft', description: 'ECOMMERCE' }, [])).to.equal('PENDING')
    expect(isUnplacedSale({ state: 'draft', description: 'ECOMMERCE' } as SaleRow)).to.equal(true)
  })
})
