import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { toRecentRequestView } from '../../../../src/console/pages/requests/recent-request-view.ts'
import { toRequestRecordView } from '../../../../src/console/pages/requests/request-page-view.ts'
import { describeSharedId } from '../../../../src/console/text/shared-request-id-text.ts'
import type { RequestRecord } from '../../../../src/diagnostics/reports/request-records.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' }],
  () => NOW,
)
const okSection = { system: null, code: null, staleAsOf: null, cause: null, simulated: false } as const
const record: RequestRecord = {
  recordId: 'rec_1',
  requestId: 'req-1',
  tenant: 'acme',
  mode: 'live',
  at: NOW,
  kind: 'degraded',
  route: 'getProduct',
  method: 'GET',
  path: '/v1/products/BP-1',
  status: 200,
  ms: 710.3,
  cache: 'miss',
  code: null,
  keyId: 'key_1',
  customerId: null,
  deadlineMs: 1_500,
  process: 'p1',
  sections: [
    { ...okSection, name: 'product', outcome: 'ok', ms: 4.2, system: 'inventory' },
    {
      ...okSection,
      name: 'price',
      outcome: 'timeout',
      ms: 700.1,
      system: 'pricing',
      code: 'downstream_timeout',
      cause: 'no response in time',
    },
  ],
  calls: [
    {
      system: 'pricing',
      operation: 'price',
      at: NOW - 708,
      queuedMs: 0,
      ms: 700,
      attempts: 1,
      outcome: 'timeout',
      cause: 'no response in time',
    },
  ],
}
const toView = (
  changes: Partial<RequestRecord> = {},
  incidents = [{ incident_id: 'inc_1', system: 'pricing', section: 'price', causes: null }],
) => toRequestRecordView({ ...record, ...changes }, incidents, merchants)

describe('the page of a request', () => {
  it('tells the request of the browser to the demo shop from the call that its server made', () => {
    const call = toView({
      kind: 'refused',
      route: 'checkout',
      status: 409,
      code: 'price_changed',
      sections: [],
      calls: [],
    })
    const shop = toView({
      kind: 'refused',
      tenant: null,
      keyId: null,
      route: 'shop',
      status: 409,
      sections: [],
      calls: [],
    })
    expect([call.merchantName, shop.merchantName]).to.deep.equal(['Acme Parts', 'Server of the demo shop'])
    expect(shop.summary).to.match(
      /It is what the API returned to the server of the demo shop, which recorded why under the same id\.$/,
    )
    expect(describeSharedId([call, shop])).to.equal(
      '2 records have this id, and belong to one request: the browser sent it to the server of the demo shop, which called the API with the same id.',
    )
    expect(describeSharedId([call, call])).to.equal(
      '2 requests have this id, because clients can choose their own ids.',
    )
  })

  it('summarizes what was missing, of which system and why', () => {
    expect(toView().summary).to.equal(
      'The response was 200 after 710 ms (deadline 1,500 ms). Prices (pricing): no complete response in time.',
    )
  })

  it('links the customer and the SKUs that a refusal names', () => {
    const refused = { kind: 'refused', route: 'checkout', status: 409, code: 'line_unavailable' } as const
    const { facts } = toView({ ...refused, customerId: 'W/1', refusedSkus: ['BP-1009', 'Bf 2'] })
    expect(facts.filter(([name]) => /SKU|Customer/.test(name))).to.deep.equal([
      ['Refused SKU', 'BP-1009', '/products/acme/live/BP-1009'],
      ['Refused SKU', 'Bf 2', '/products/acme/live/Bf%202'],
      ['Customer', 'W/1', '/customers/acme/live/W%2F1'],
    ])
    expect(toView({ tenant: null, customerId: 'W-1' }).facts).to.deep.include(['Customer', 'W-1'])
  })

  it('does not name an operation that was not known', () => {
    const refused = { ...record, kind: 'refused', route: 'none', status: 401, sections: [], calls: [] } as RequestRecord
    expect(toView(refused).facts).to.deep.include(['What was asked', 'Unknown: refused before the request was read'])
    const { asked, route } = toRecentRequestView(refused, [], merchants)
    expect([asked, route]).to.deep.equal(['Unknown: refused before the request was read', ''])
    expect(toView().facts).to.deep.include(['What was asked', 'Product page (getProduct)'])
  })

  it('shows the state, the reason and the incident of each section', () => {
    const [product, price] = toView().sections
    expect(product).to.deep.include({
      name: 'Products',
      pill: { tone: 'well', text: 'OK' },
      code: null,
      incidentHref: null,
    })
    expect(price).to.deep.include({
      name: 'Prices',
      pill: { tone: 'failing', text: 'Missing' },
      incidentHref: '/incidents/inc_1',
    })
    expect(price!.code).to.deep.include({ code: 'downstream_timeout', name: 'No complete response in time' })
    expect(price!.cause).to.equal('no response in time')
  })

  it('shows how the system failed before the open circuit, in the section and in the problem', () => {
    const refused: RequestRecord['sections'][number] = {
      ...record.sections[1]!,
      outcome: 'circuit_open',
      code: 'circuit_open',
      kind: 'TLS certificate expired',
    }
    const view = toView({ status: 503, code: 'circuit_open', sections: [refused] })
    expect(view.summary).to.match(/Prices \(pricing\): calls paused after: TLS certificate expired\.$/)
    expect(view.sections[0]!.failure).to.equal('No call, after: TLS certificate expired')
    expect(view.sections[0]!.code!.advice).to.match(/^Renew the certificate/)
    expect(view.problemCause).to.equal('pricing: TLS certificate expired')
    expect(toView({ status: 409, code: 'price_changed' }).problemCause).to.equal(null)
  })

  it('shows the reason that a system gave, and the setting that is wrong', () => {
    const failed = { ...record.sections[1]!, outcome: 'rejected', code: 'downstream_error' } as const
    const cause = 'responded 422: Invalid language code'
    const rejected = toView({
      status: 502,
      code: 'downstream_error',
      sections: [{ ...failed, kind: 'HTTP 422', cause }],
    })
    expect(rejected.problemCause).to.equal('pricing: responded 422: Invalid language code')
    expect(rejected.summary).to.match(/Prices \(pricing\): responded 422: Invalid language code\.$/)
    expect(rejected.sections[0]).to.include({ failure: 'HTTP 422', cause })
    const setting = 'Odoo has no payment term "Cash" (setting cash_term)'
    const wrong = { ...failed, outcome: 'misconfigured', kind: 'wrong setting', cause: setting } as const
    const view = toView({ status: 502, code: 'downstream_error', sections: [wrong] })
    expect(view.problemCause).to.equal(`pricing: ${setting}`)
    expect(view.problem!.meaning).to.equal(
      'A setting of Forecourt names something that the system does not have, so the call was not sent.',
    )
    expect(view.sections[0]!.code).to.deep.include({ code: 'misconfigured', name: 'Wrong setting' })
    expect(view.sections[0]!.cause).to.equal(setting)
  })

  it('says once that a storefront asked for a failure, and that there is nothing to check', () => {
    const cause = 'requested by X-Sandbox-Fault'
    const simulated: RequestRecord['sections'][number] = { ...record.sections[1]!, cause, simulated: true }
    const nothing = /^The storefront asked for this failure with X-Sandbox-Fault, and the system was not called\./
    for (const kind of ['no response in time', cause, undefined]) {
      const view = toView({
        status: 503,
        code: 'downstream_timeout',
        sections: [kind ? { ...simulated, kind } : simulated],
        calls: [],
      })
      expect(view.sections[0]!.cause).to.equal('')
      expect(view.sections[0]!.code!.advice).to.match(nothing)
      if (kind) expect(view.problem!.advice).to.match(nothing)
    }
  })

  it('shows the age of a stale section', () => {
    const staleSection = { ...record.sections[1]!, staleAsOf: NOW - 711 - 180_000 }
    expect(toView({ sections: [staleSection] }).sections[0]).to.deep.include({
      pill: { tone: 'warning', text: 'Older value' },
      staleAge: '3 min',
    })
  })

  it('shows the start, the duration and the result of each call', () => {
    expect(toView().calls[0]).to.deep.include({
      ...{
        system: 'pricing',
        operation: 'price',
        details: 'no response in time',
        duration: '700 ms',
        start: 'after 2 ms',
      },
      pill: { tone: 'failing', text: 'Failed' },
      bar: { start: 2, queued: 0, active: 467, tone: 'bad' },
    })
  })

  it('shows how long a call that was not sent waited before the response', () => {
    const [pricing] = record.calls
    const open = { attempts: 0, outcome: 'circuit_open', cause: 'calls paused: no call was made' } as const
    const calls = [
      { ...pricing!, ...open, at: NOW - 18, ms: 43, queuedMs: 43 },
      { ...pricing!, ...open, at: NOW - 18, ms: 0 },
      { ...pricing!, at: NOW - 18, ms: 43, outcome: 'ok', cause: null } as const,
    ]
    expect(toView({ ms: 18, calls }).calls.map(({ duration, details }) => [duration, details])).to.deep.equal([
      ['not sent, waited 18 ms', 'calls paused: no call was made, 18 ms in the queue, ended after the response'],
      ['not sent', 'calls paused: no call was made'],
      ['18 ms', 'ended after the response'],
    ])
  })

  it('says that the order of an unconfirmed checkout is saved', () => {
    const checkout = { ...record.sections[1]!, name: 'checkout', system: 'accounting' as const }
    const { summary, sections } = toView({ route: 'checkout', sections: [checkout] })
    expect(summary).to.include(
      'no complete response in time. The shopper was told that the order is being processed. The order was saved, and is sent',
    )
    expect(sections[0]!.pill).to.deep.equal({ tone: 'failing', text: 'Not confirmed' })
    const failed = toView({ route: 'checkout', status: 504, sections: [checkout] })
    expect(failed.summary).to.not.include('saved')
    expect(failed.sections[0]!.pill.text).to.equal('Refused')
  })

  it('does not explain a failure of Forecourt with that of an optional section', () => {
    const failed: RequestRecord['sections'][number] = { ...record.sections[1]!, kind: 'connection refused' }
    for (const [code, advice] of [
      ['internal_error', /^The log has the error/],
      ['overloaded', /^The system is slow, or there is more traffic/],
    ] as const) {
      const view = toView({ status: code === 'overloaded' ? 503 : 500, code, sections: [failed] })
      expect(view.problem!.advice).to.match(advice)
      expect(view.problemCause).to.equal(null)
    }
    const sections = [failed, { ...failed, code: 'invalid_downstream_response' as const, kind: 'unreadable response' }]
    const view = toView({ status: 502, code: 'downstream_error', sections })
    expect(view.problem!.advice).to.match(/^Was the system, or a proxy in front of it, changed recently/)
    expect(view.problemCause).to.equal('pricing: unreadable response')
  })

  it('explains the code of a refused request', () => {
    const refused = toView({
      kind: 'refused',
      status: 401,
      code: 'invalid_api_key',
      sections: [],
      calls: [],
      tenant: null,
      keyId: null,
    })
    expect(refused.merchantName).to.equal('no merchant')
    expect(refused.summary).to.match(/^The response was 401 after .* The API key is mistyped, revoked or expired/)
    expect(refused.problem!.advice).to.include('Keys')
  })

  it('names the reason in the list of latest requests', () => {
    expect(toRecentRequestView(record, [], merchants)).to.deep.include({
      href: '/request?id=req-1',
      reason: 'No complete response in time',
    })
  })
})
