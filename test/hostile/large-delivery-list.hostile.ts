import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../src/storage/database.ts'
import { fillWebhookStore } from '../support/fill-webhook-store.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** A hundred slices of a recovery. */
const EVENTS = 100_000
/** A server that scans the events at once answers the requests of the moments before. */
const MIN_BETWEEN = 20

/** A search by an index reads some pages of 4 KiB; a scan of the deliveries reads tens of megabytes. */
const MAX_READ_BYTES = 2 * 1_024 * 1_024

describe('a merchant with a large list of events', () => {
  let server: ServerProcess
  let key: string
  let path: string

  before(async () => {
    server = await startServerProcess({ config: { webhooks: { allow: ['127.0.0.1:9'] } } })
    key = await server.issueKey('--kind', 'secret', '--mode', 'sandbox')
    const body = { endpoint_url: 'http://127.0.0.1:9/hooks', event_types: ['*'] }
    const { body: subscription, text } = await ask('/v1/webhooks', body)
    expect(text).to.include('subscription_id')
    path = `/v1/webhooks/${subscription.subscription_id}`
    // The server is running: at its start, it removes events of this age.
    await using db = await openDatabase(`sqlite:${join(server.directory, 'forecourt.db')}`)
    await fillWebhookStore(db, { subscriptionId: subscription.subscription_id, events: EVENTS })
    // Numbers the events: afterwards, the background job has nothing to read.
    expect((await ask('/v1/events?limit=1')).status).to.equal(200)
  })
  after(() => server[Symbol.asyncDispose]())

  const ask = (to: string, body?: object) =>
    sendHttpRequest(server.address, to, { headers: { authorization: `Bearer ${key}` }, body })

  for (const filter of [
    ...['status=PENDING', 'event_type=invoice.paid', 'event_type=order.shipped&status=EXHAUSTED', 'since=2026-06-01'],
    ...[
      'event_id=evt_0000000000000000000000',
      'event_type=stock.changed&since=2026-01-01',
      'status=CANCELLED&limit=100',
    ],
  ])
    it(`is not searched as a whole for deliveries that do not exist: ${filter}`, async () => {
      const query = filter.replace(/since=[-\d]+/, '$&T00:00:00Z')
      const bytes = []
      for (let n = 0; n < 3; n += 1) {
        const before = await server.readBytes()
        const { status, body } = await ask(`${path}/deliveries?${query}`)
        expect([status, body.data]).to.deep.equal([200, []])
        bytes.push((await server.readBytes()) - before)
      }
      // The server reads for its own jobs, too.
      expect(Math.min(...bytes)).to.be.below(MAX_READ_BYTES)
    })

  it('does not keep others waiting while the merchant recovers', async () => {
    let isRunning = true
    const recovery = ask(`${path}/recover`, { since: '2026-01-01T00:00:00Z' }).finally(() => {
      isRunning = false
    })
    let between = 0
    while (isRunning) {
      expect((await ask('/v1/ping')).status).to.equal(200)
      if (isRunning) between += 1
    }
    const { status, body } = await recovery
    expect([status, body.has_more]).to.deep.equal([202, false])
    expect(between).to.be.at.least(MIN_BETWEEN)
  })
})
