import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('GET /v1/me/credit-status', () => {
  let api: Api
  let secret: string

  before(async () => {
    api = await startApi()
    secret = await api.key({ kind: 'secret' })
  })
  after(() => api[Symbol.asyncDispose]())

  const readCredit = async (customer: string) =>
    api.request('/v1/me/credit-status', {
      key: secret,
      headers: { 'x-storefront-shopper-token': await api.shopperToken({ customer }) },
    })

  it('returns credit as accounting calculates it', async () => {
    const { status, body } = await readCredit('C-1001')
    expect(status).to.equal(200)
    expect(body).to.include({
      customer_id: 'C-1001',
      enabled: true,
      currency: 'JMD',
      over_limit: false,
      on_hold: false,
    })
    expect(body.credit_limit).to.deep.equal({ amount: '500000.00', currency: 'JMD' })
    expect(body.terms).to.deep.equal({ code: 'NET30', days: 30, description: 'Net 30 days' })
    expect(Object.keys(body.aging)).to.deep.equal(['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_over_90'])
  })

  it('reports over_limit and on_hold', async () => {
    const over = (await readCredit('C-1007')).body
    expect(over.over_limit).to.equal(true)
    expect(over.available_credit.amount).to.match(/^-/)
    expect((await readCredit('C-1004')).body.on_hold).to.equal(true)
  })

  it('has null amounts without a credit account', async () => {
    const { status, body } = await readCredit('C-1009')
    expect(status).to.equal(200)
    expect(body).to.include({
      enabled: false,
      credit_limit: null,
      balance: null,
      available_credit: null,
      over_limit: false,
    })
    expect([body.terms, body.aging, body.overdue_balance, body.open_orders]).to.deep.equal([null, null, null, null])
  })
})
