import { expect } from 'chai'
import { Decimal as Narrow } from 'decimal.js'
import fc from 'fast-check'
import { addShipping, computeCartTotals as forecourtsTotals } from '../../src/commands/carts/cart-totals.ts'
import { computeOrderTotals, totalsAgree } from '../../src/sandbox/accounting/order-totals.ts'
import '../support/mocha-setup.ts'

const Decimal = Narrow.clone({ precision: 60 })

const digits = (scale: number, max: number, min = 1) =>
  fc.integer({ min, max }).map((n) => new Decimal(n).div(10 ** scale).toFixed(scale))

const tax = fc.constantFrom(
  { code: 'GCT', name: 'General Consumption Tax', rate: '0.15' },
  { code: 'LOW', name: 'Reduced', rate: '0.075' },
  { code: 'EXEMPT', name: 'Exempt', rate: '0' },
)

const line = fc
  .record({
    unit_price: fc.oneof(
      digits(6, 2_000_000_000),
      fc.bigInt(1n, 10n ** 16n).map((n) => `${n / 10n ** 6n}.${String(n % 10n ** 6n).padStart(6, '0')}`),
    ),
    quantity: digits(3, 999_999_999),
    share: fc.integer({ min: 0, max: 100 }),
    tax,
  })
  .map(({ share, ...rest }) => {
    const gross = new Decimal(rest.unit_price).times(rest.quantity).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    return { ...rest, discount: gross.times(share).div(100).toDecimalPlaces(2, Decimal.ROUND_DOWN).toFixed(2) }
  })

const lines = fc.array(line, { minLength: 1, maxLength: 20 })
const plus = (amounts: string[]) => amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed(2)

describe("the ledger's totals", () => {
  it('add up: lines to totals, and taxes to their sum', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (cart, included) => {
        const computed = computeOrderTotals(
          cart,
          cart.map((each) => each.tax),
          included,
        )
        const { subtotal, discount_total, tax_total, total, taxes } = computed.totals
        expect(total).to.equal(plus(computed.lines.map(({ line_total }) => line_total)))
        expect(tax_total).to.equal(plus(computed.lines.map((each) => each.tax.amount)))
        expect(tax_total).to.equal(plus(taxes.map(({ amount }) => amount)))
        const net = new Decimal(subtotal).minus(discount_total)
        expect(total).to.equal((included ? net : net.plus(tax_total)).toFixed(2))
        expect(plus(taxes.map(({ base }) => base))).to.equal((included ? net.minus(tax_total) : net).toFixed(2))
        expect(discount_total).to.equal(plus(cart.map(({ discount }) => discount)))
      }),
    )
  })

  it('are within half a cent per line of the exact tax', () => {
    fc.assert(
      fc.property(line, fc.boolean(), (one, included) => {
        const { lines: counted } = computeOrderTotals([one], [one.tax], included)
        const gross = new Decimal(one.unit_price).times(one.quantity).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
        const after = gross.minus(one.discount)
        const exact = included
          ? after.times(one.tax.rate).div(new Decimal(1).plus(one.tax.rate))
          : after.times(one.tax.rate)
        expect(exact.minus(counted[0]!.tax.amount).abs().lte('0.005')).to.equal(true)
      }),
    )
  })

  it('agree with themselves, and differ from any amount that is a cent off', () => {
    const figures = ['subtotal', 'discount_total', 'tax_total', 'total'] as const
    fc.assert(
      fc.property(lines, fc.boolean(), fc.constantFrom(...figures), (cart, included, figure) => {
        const computed = computeOrderTotals(
          cart,
          cart.map((each) => each.tax),
          included,
        )
        const order = {
          lines: cart.map((each, i) => ({
            sku: 'A',
            name: 'A',
            uom: 'each',
            order_uom: null,
            order_quantity: null,
            list_unit_price: null,
            ...each,
            ...computed.lines[i]!,
          })),
          totals: computed.totals,
        }
        expect(totalsAgree(order, computed)).to.equal(true)
        const off = new Decimal(computed.totals[figure]).plus('0.01').toFixed(2)
        expect(totalsAgree({ ...order, totals: { ...order.totals, [figure]: off } }, computed)).to.equal(false)
        const [first, ...rest] = order.lines
        const dearer = { ...first!, line_total: new Decimal(first!.line_total).plus('0.01').toFixed(2) }
        expect(totalsAgree({ ...order, lines: [dearer, ...rest] }, computed)).to.equal(false)
      }),
    )
  })

  it('equal the totals of Forecourt to the cent', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), (cart, included) => {
        const own = computeOrderTotals(
          cart,
          cart.map((each) => each.tax),
          included,
        )
        const theirs = forecourtsTotals(cart, included, 2)
        expect(own.totals).to.deep.equal(theirs.totals)
        expect(own.lines.map(({ tax, line_total }) => [tax.amount, line_total])).to.deep.equal(
          theirs.lines.map(({ tax, line_total }) => [tax, line_total]),
        )
      }),
    )
  })

  it('equal the totals of Forecourt to the cent, also with a delivery and its tax', () => {
    fc.assert(
      fc.property(lines, fc.boolean(), digits(2, 1_000_000, 0), tax, (cart, included, price, deliveryTax) => {
        const delivery = { price, tax: deliveryTax }
        const own = computeOrderTotals(
          cart,
          cart.map((each) => each.tax),
          included,
          delivery,
        )
        const goods = forecourtsTotals(cart, included, 2).totals
        expect(own.totals).to.deep.equal(addShipping(goods, delivery, 2))
        const { subtotal, discount_total, tax_total, shipping_total, total, taxes } = own.totals
        expect([subtotal, shipping_total]).to.deep.equal([goods.subtotal, price])
        expect(tax_total).to.equal(plus(taxes.map(({ amount }) => amount)))
        const net = new Decimal(subtotal).minus(discount_total).plus(shipping_total)
        expect(total).to.equal((included ? net : net.plus(tax_total)).toFixed(2))
      }),
    )
  })

  it('round each line half up before the sum', () => {
    const gct = { code: 'GCT', name: 'General Consumption Tax', rate: '0.15' }
    const cart = [
      { unit_price: '12.3475', quantity: '30', discount: '0.00' },
      { unit_price: '991.20', quantity: '12', discount: '1189.44' },
    ]
    const { lines: counted, totals } = computeOrderTotals(cart, [gct, gct], false)
    expect(counted.map(({ line_total }) => line_total)).to.deep.equal(['425.99', '12310.70'])
    expect(totals).to.deep.include({ subtotal: '12264.83', discount_total: '1189.44', total: '12736.69' })
    expect(totals.taxes).to.deep.equal([{ ...gct, base: '11075.39', amount: '1661.30' }])
  })
})
