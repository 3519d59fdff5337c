import { expect } from 'chai'
import type { AccountingContext } from '../../../adapters/tryton/accounting-context.ts'
import { createCapabilities } from '../../../adapters/tryton/client/capabilities.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { TrytonUserWarning, UnknownNameError } from '../../../adapters/tryton/client/rpc-errors.ts'
import { parsePartyNames, toPartyNames } from '../../../adapters/tryton/customers/party-names.ts'
import { connectCancelOrder } from '../../../adapters/tryton/orders/cancel-order.ts'
import { isUnplacedSale, type OrderReader } from '../../../adapters/tryton/orders/order-reader.ts'
import type { SaleRow, StockMoveRow } from '../../../adapters/tryton/orders/order-records.ts'
import { toOrderStatus } from '../../../adapters/tryton/orders/order-status.ts'
import {
  formatCancellation,
  formatRefusal,
  parseCancellation,
  parseRefusal,
} from '../../../adapters/tryton/orders/sale-description.ts'
import { createSerialQueue } from '../../../adapters/tryton/orders/serial-queue.ts'
import { createWarningConfirmation } from '../../../adapters/tryton/orders/warning-confirmation.ts'
import { computeSaleTotals } from '../../../adapters/tryton/pricing/sale-totals.ts'
import { daysBetween, startOfDay } from '../../../adapters/tryton/time-zone.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { recordedLogin, trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { createCall, failureOf } from '../conformance/subject.ts'

describe('tryton: modules that a server lacks', () => {
  const goods = (asked: string[], answer: (model: string) => Promise<unknown>) =>
    createCapabilities(
      (async (_: unknown, method: string) => {
        asked.push(method)
        return answer(method)
      }) as unknown as Rpc,
      () => 0,
    )

  it('are found once for each model that is asked about, and named', async () => {
    const asked: string[] = []
    const abilities = goods(asked, async (method) => {
      if (method.startsWith('account.invoice')) throw new UnknownNameError('not_configured', 'no such model')
      return method.startsWith('party.party') ? {} : { number: {} }
    })
    expect([await abilities.has('orders', createCall()), await abilities.has('webOrders', createCall())]).to.deep.equal(
      [true, false],
    )
    for (const _ of [1, 2]) {
      const missing = await failureOf(abilities.need(createCall(), 'orders', 'invoices', 'creditLimits'))
      expect(missing).to.include({ failure: 'not_configured' })
      expect(missing.message).to.include('account_invoice, account_credit_limit')
    }
    expect(asked.toSorted()).to.deep.equal(
      ['account.invoice', 'party.party', 'sale.sale'].map((model) => `${model}.fields_get`),
    )
  })

  it('are not concluded from a login that was refused', async () => {
    const refused = new UpstreamError('rejected', 'the login was not accepted')
    const abilities = goods([], () => Promise.reject(refused))
    expect(await failureOf(abilities.has('priceLists', createCall()))).to.equal(refused)
  })
})

describe('tryton: totals', () => {
  const line = (unitPrice: string, quantity: string) =>
    createOrderDraft({ reference: 'r', customerId: '3', goods: { sku: 'A', uom: 'u', unitPrice }, quantity }).lines[0]!

  it('are rounded to even digits, the tax by line or by document', () => {
    // 990.225 and 1100.30 × 0.15 = 165.045 lie just between two cents.
    expect(computeSaleTotals([line('990.225', '1')], 2)).to.deep.equal([
      { untaxed: '990.22', tax: '148.53' },
      { untaxed: '990.22', tax: '148.53' },
    ])
    expect(computeSaleTotals([line('1100.30', '1')], 2)[0]).to.deep.equal({ untaxed: '1100.30', tax: '165.04' })
    const [byLine, byDocument] = computeSaleTotals([line('0.23', '1'), line('0.23', '1'), line('0.23', '1')], 2)
    expect([byLine!.tax, byDocument!.tax]).to.deep.equal(['0.09', '0.10'])
  })
})

describe('tryton: names', () => {
  const draft = { reference: 'r', email: 'a@b.example', phone: null }

  it('of people and of firms come back as they were given', () => {
    for (const company of [null, 'Van Dyk Ltd']) {
      const given = { ...draft, first_name: 'Mary Ann', last_name: 'van Dyk', company }
      const { party, mailbox } = toPartyNames(given)
      expect(parsePartyNames(party, mailbox, false)).to.deep.equal({
        ...{ first_name: 'Mary Ann', last_name: 'van Dyk', company },
        customer_type: company ? 'BUSINESS' : 'INDIVIDUAL',
      })
    }
  })

  it('of parties that somebody made in Tryton are told apart by what they are allowed', () => {
    expect(parsePartyNames('Andre Campbell', null, false)).to.include({ first_name: 'Andre', last_name: 'Campbell' })
    expect(parsePartyNames('Garage', null, true)).to.include({
      company: 'Garage',
      first_name: null,
      customer_type: 'BUSINESS',
    })
    expect(parsePartyNames('Madonna', null, false)).to.include({ first_name: 'Madonna', last_name: null })
  })
})

describe('tryton: days', () => {
  it('begin where the merchant is, on days of another offset too', () => {
    expect(startOfDay('2026-11-21', 'America/Jamaica')).to.equal('2026-11-21T05:00:00.000Z')
    expect(startOfDay('2026-03-29', 'Europe/Berlin')).to.equal('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-10-25', 'Europe/Berlin')).to.equal('2026-10-24T22:00:00.000Z')
    expect(daysBetween('2026-02-27', '2026-03-02')).to.equal(3)
  })
})

describe('tryton: marks of an order', () => {
  it('are read back, and only as what they are', () => {
    const refused = { reason: 'OVER_CREDIT_LIMIT', skus: [], available: '-1.00' } as const
    const cancelled = { at: '2026-11-21T12:00:00.000Z', reason: 'OTHER', note: 'a "note"' }
    expect(parseRefusal(formatRefusal({ ...refused, skus: [] }))).to.deep.equal(refused)
    expect(parseCancellation(formatCancellation(cancelled))).to.deep.equal(cancelled)
    for (const text of [null, '', 'ECOMMERCE', 'ECOMMERCE refused by me', formatCancellation(cancelled)])
      expect(parseRefusal(text), String(text)).to.equal(null)
  })
})

describe('tryton: an order that is being taken back', () => {
  const description = formatCancellation({ at: '2026-11-21T12:00:00.000Z', reason: 'OTHER', note: null })
  const statusAt = (sale: object, moves: string[]) =>
    toOrderStatus({
      sale: { description, shipment_state: 'waiting', ...sale } as SaleRow,
      moves: moves.map((state) => ({ state }) as StockMoveRow),
    })

  it('is not cancelled until its sale has ended, so that whoever asks again goes on', () => {
    expect(statusAt({ state: 'processing' }, ['cancelled', 'draft'])).to.equal('CONFIRMED')
    expect(statusAt({ state: 'processing' }, ['cancelled', 'cancelled'])).to.equal('CONFIRMED')
    expect(statusAt({ state: 'draft' }, [])).to.equal('CONFIRMED')
    expect(isUnplacedSale({ state: 'draft', description } as SaleRow)).to.equal(false)
    expect(statusAt({ state: 'done' }, ['cancelled', 'cancelled'])).to.equal('CANCELLED')
    expect(statusAt({ state: 'done' }, [])).to.equal('CANCELLED')
    expect(statusAt({ state: 'cancelled' }, [])).to.equal('CANCELLED')
  })

  it('is left alone when its invoice was posted after it was marked', async () => {
    const asked: string[] = []
    const rpc = (async (_: unknown, method: string) => asked.push(method)) as unknown as Rpc
    const sale = { id: 7, state: 'processing', shipment_state: 'waiting', description, _timestamp: '1' }
    const records = { sale, moves: [{ id: 1, state: 'draft' }], invoices: [{ id: 2, state: 'posted' }] }
    const orders = { saleOf: async () => records } as unknown as OrderReader
    const { cancelOrder: cancel } = connectCancelOrder(
      { rpc, facts: trytonMerchant } as unknown as AccountingContext,
      orders,
    )
    const why = { reason: 'OTHER', note: null }
    expect(await cancel('3', { reference: 'ord_1' }, why, createCall())).to.deep.equal({
      state: 'refused',
      status: 'CONFIRMED',
    })
    expect(asked).to.deep.equal([])
  })

  it('is left alone when other orders are sent or billed with it', async () => {
    const why = { reason: 'OTHER', note: null }
    for (const [shipped, billed, left] of [
      [[7, 8], [7], true],
      [[7, null], [7, 8], true],
      [[7, null, 7], [7], false],
    ] as const) {
      const asked: string[] = []
      const rpc = (async (_: unknown, method: string) => {
        asked.push(method)
        return method === 'stock.move.search_read' ? shipped.map((sale) => ({ sale })) : [1, 'session', 'end']
      }) as unknown as Rpc
      const sale = { id: 7, state: 'processing', shipment_state: 'waiting', description, _timestamp: '1' }
      const moves = [{ id: 1, state: 'draft', shipment: 'stock.shipment.out,5' }]
      const records = { sale, moves, invoices: [{ id: 2, state: 'draft', sales: billed, _timestamp: '1' }] }
      const orders = { saleOf: async () => records, viewed: async () => [{}] } as unknown as OrderReader
      const { cancelOrder: cancel } = connectCancelOrder(
        { rpc, facts: trytonMerchant } as unknown as AccountingContext,
        orders,
      )
      const answer = await cancel('3', { reference: 'ord_1' }, why, createCall()).catch(() => null)
      expect(asked.includes('stock.shipment.out.cancel')).to.equal(!left)
      if (left) expect(answer).to.deep.equal({ state: 'refused', status: 'CONFIRMED' })
    }
  })

  it('is cancelled when people called its goods off, who left no mark', () => {
    expect(statusAt({ state: 'processing', description: 'ECOMMERCE' }, ['cancelled'])).to.equal('CANCELLED')
    expect(statusAt({ state: 'draft', description: 'ECOMMERCE' }, [])).to.equal('PENDING')
    expect(isUnplacedSale({ state: 'draft', description: 'ECOMMERCE' } as SaleRow)).to.equal(true)
  })
})

describe('tryton: warnings', () => {
  const warn = (name: string) => new TrytonUserWarning(name, 'are you sure?', 'are you sure?')

  it('that do no harm are answered with yes, and the work is done again', async () => {
    const said: unknown[] = []
    const rpc = (async (_: unknown, method: string, params: unknown[]) => {
      said.push([method, params[0]])
      return [7]
    }) as unknown as Rpc
    const warnings = [warn('stock_quantity_warning_1'), warn('stock_quantity_warning_2')]
    const work = async () => {
      const next = warnings.shift()
      if (next) throw next
      return 'done'
    }
    expect(await createWarningConfirmation(rpc, recordedLogin)(work, createCall())).to.equal('done')
    expect(said).to.deep.equal([
      ['res.user.search', [['login', '=', recordedLogin.user]]],
      ['res.user.warning.create', [{ user: 7, name: 'stock_quantity_warning_1', always: false }]],
      ['res.user.warning.create', [{ user: 7, name: 'stock_quantity_warning_2', always: false }]],
    ])
  })

  it('about credit are not', async () => {
    const never = (() => Promise.reject(new Error('asked'))) as unknown as Rpc
    const limit = warn('credit_limit_amount_sale.sale,9')
    const asked = createWarningConfirmation(never, recordedLogin)(() => Promise.reject(limit), createCall())
    expect(await failureOf(asked)).to.equal(limit)
  })
})

describe('tryton: work in turn', () => {
  it('is done one after the other, whatever became of the one before, and not for those who left', async () => {
    const inTurn = createSerialQueue()
    const order: string[] = []
    const first = Promise.withResolvers<string>()
    const leaving = new AbortController()
    const one = inTurn(createCall(), () => first.promise)
    const two = inTurn(createCall(leaving.signal), async () => order.push('two'))
    const three = inTurn(createCall(), async () => order.push('three'))
    leaving.abort()
    expect((await failureOf(two)).failure).to.equal('aborted')
    first.reject(new UpstreamError('error', 'broken'))
    expect((await failureOf(one)).failure).to.equal('error')
    await three
    expect(order).to.deep.equal(['three'])
  })

  it('is refused as too much, and never begun, when the line leaves no time for it', async () => {
    const inTurn = createSerialQueue()
    const first = Promise.withResolvers<string>()
    const one = inTurn(createCall(), () => first.promise)
    let begun = false
    const late = inTurn({ ...createCall(), timeoutMs: () => 1_000 }, async () => {
      begun = true
    })
    expect(await failureOf(late)).to.include({ failure: 'overloaded', retryable: true })
    first.resolve('done')
    expect(await one).to.equal('done')
    expect(await inTurn({ ...createCall(), timeoutMs: () => 10 }, async () => 'alone')).to.equal('alone')
    expect(begun).to.equal(false)
  })
})
