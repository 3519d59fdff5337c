import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { toRecentRequestView, toRequestRecordView } from '../../../src/console/pages/request-page-view.ts'
import type { RequestRecord } from '../../../src/diagnostics/request-records.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica' }],
  () => NOW,
)
const fine = { system: null, code: null, staleAsOf: null, cause: null, simulated: false } as const
const record: RequestRecord = {
  ...{ recordId: 'rec_1', requestId: 'req-1', tenant: 'acme', mode: 'live', at: NOW, kind: 'degraded' },
  ...{ route: 'getProduct', method: 'GET', path: '/v1/products/BP-1', status: 200, ms: 710.3, cache: 'miss' },
  ...{ code: null, keyId: 'key_1', deadlineMs: 1_500, process: 'p1' },
  sections: [
    { ...fine, name: 'product', outcome: 'ok', ms: 4.2, system: 'inventory' },
    {
      ...{ ...fine, name: 'price', outcome: 'timeout', ms: 700.1, system: 'pricing', code: 'downstream_timeout' },
      cause: 'no answer in time',
    },
  ],
  calls: [
    {
      ...{ system: 'pricing', operation: 'price', at: NOW - 708, queuedMs: 0, ms: 700, attempts: 1 },
      ...{ outcome: 'timeout', cause: 'no answer in time' },
    },
  ],
}
const shown = (
  of: Partial<RequestRecord> = {},
  incidents = [{ incident_id: 'inc_1', system: 'pricing', section: 'price' }],
) => toRequestRecordView({ ...record, ...of }, incidents, merchants)

describe('what is said of a request', () => {
  it('is in a sentence what was missing, whose it is and why', () => {
    expect(shown().sentence).to.equal(
      'It was answered with 200 after 710 ms of the 1,500 ms that there were. Prices (pricing): no answer in time.',
    )
  })

  it('is of each section whether it was there, why not, and which incident it belongs to', () => {
    const [product, price] = shown().sections
    expect(product).to.deep.include({
      name: 'Products',
      pill: { tone: 'well', word: 'Well' },
      code: null,
      incident: null,
    })
    expect(price).to.deep.include({
      name: 'Prices',
      pill: { tone: 'failing', word: 'Missing' },
      incident: '/incidents/inc_1',
    })
    expect(price!.code).to.deep.include({ code: 'downstream_timeout', name: 'No answer in time' })
    expect(price!.cause).to.equal('no answer in time')
  })

  it('is how old what stood in for it was', () => {
    const old = { ...record.sections[1]!, staleAsOf: NOW - 711 - 180_000 }
    expect(shown({ sections: [old] }).sections[0]).to.deep.include({
      pill: { tone: 'warning', word: 'Older values' },
      age: '3 min',
    })
  })

  it('is of each call when it began, how long it took and how it went', () => {
    expect(shown().calls[0]).to.deep.include({
      ...{ system: 'pricing', operation: 'price', words: 'no answer in time', ms: '700 ms', from: 'after 2 ms' },
      pill: { tone: 'failing', word: 'Failed' },
      bar: { from: 2, queued: 0, asked: 467, tone: 'bad' },
    })
  })

  it('is of a call that was never sent how long it waited, until the answer was given and no longer', () => {
    const [pricing] = record.calls
    const open = { attempts: 0, outcome: 'circuit_open', cause: 'its circuit is open: it was not asked' } as const
    const calls = [
      { ...pricing!, ...open, at: NOW - 18, ms: 43, queuedMs: 43 },
      { ...pricing!, ...open, at: NOW - 18, ms: 0 },
      { ...pricing!, at: NOW - 18, ms: 43, outcome: 'ok', cause: null } as const,
    ]
    expect(shown({ ms: 18, calls }).calls.map(({ ms, words }) => [ms, words])).to.deep.equal([
      ['not sent: waited 18 ms', 'its circuit is open: it was not asked, 18 ms in line, it ended after the answer'],
      ['not sent', 'its circuit is open: it was not asked'],
      ['18 ms', 'it ended after the answer'],
    ])
  })

  it('is of a checkout that waits for its ledger that its order is kept', () => {
    const checkout = { ...record.sections[1]!, name: 'checkout', system: 'accounting' as const }
    const { sentence, sections } = shown({ route: 'checkout', sections: [checkout] })
    expect(sentence).to.include('Checkout (accounting): no answer in time. Its order is kept')
    expect(sections[0]!.pill).to.deep.equal({ tone: 'failing', word: 'Not confirmed' })
    const failed = shown({ route: 'checkout', status: 504, sections: [checkout] })
    expect(failed.sentence).to.not.include('kept')
    expect(failed.sections[0]!.pill.word).to.equal('Refused')
  })

  it('is of one that was refused what its code means and where to look', () => {
    const refused = shown({
      kind: 'refused',
      status: 401,
      code: 'invalid_api_key',
      sections: [],
      calls: [],
      tenant: null,
    })
    expect(refused.shop).to.equal('no merchant')
    expect(refused.sentence).to.match(/^It was answered with 401 after .* The API key is not valid\.$/)
    expect(refused.problem!.look).to.include('Keys')
  })

  it('says when a failure was asked for', () => {
    const [, price] = record.sections
    expect(shown({ sections: [{ ...price!, simulated: true }] }).sections[0]!.cause).to.include('X-Sandbox-Fault')
  })

  it('names in a line what was wrong', () => {
    expect(toRecentRequestView(record, merchants)).to.deep.include({
      href: '/request?id=req-1',
      why: 'No answer in time',
    })
  })
})
