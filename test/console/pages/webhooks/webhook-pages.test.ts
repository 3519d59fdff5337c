import { expect } from 'chai'
import { formatTime } from '../../../../src/console/text/format-times.ts'
import { describeConsoleBesideApi } from '../../../support/describe-console-beside-api.ts'
import type { Reply } from '../../../support/send-http-request.ts'
import { until } from '../../../support/until.ts'
import { insertFailedDelivery } from '../../insert-failed-delivery.ts'

const HOSTILE = '"><script>alert(1)</script>'
/** The time zone of every merchant in these tests. */
const TIME_ZONE = 'America/Jamaica'

/** Returns the notice that the next page shows. */
const readNotice = ({ headers }: Reply): { text: string; failed: boolean } =>
  JSON.parse(String(Buffer.from(/forecourt_notice=([\w-]+)/.exec(headers['set-cookie']![0]!)![1]!, 'base64url')))

describeConsoleBesideApi('the pages of webhook endpoints and deliveries', (site) => {
  it('shows deliveries without secrets, URL paths and response bodies', async () => {
    const { id, delivery, secret } = await insertFailedDelivery(site.api, HOSTILE)
    for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries/${delivery}`]) {
      const { status, text } = await site.support.get(path)
      expect(status, path).to.equal(200)
      expect(text).to.include('http://127.0.0.1:9/…')
      for (const hidden of ['s3cret', secret, HOSTILE, '<script>alert']) expect(text, path).to.not.include(hidden)
    }
    const page = (await site.support.get(`/webhooks/${id}/deliveries/${delivery}`)).text
    expect(page)
      .to.include('Abandoned')
      .and.include('12 ms')
      .and.include('Its own log has the error')
      .and.match(/order <a class="mono" href="\/find\?q=SO-/)
      .and.include('token […]')
    expect(page).to.not.include('<form method="post" action="/webhooks')
  })

  it('lets an operator disable, enable and redeliver, and writes that to the audit log', async () => {
    const { id, delivery } = await insertFailedDelivery(site.api)
    const statusOf = async () =>
      (
        await site.api.db
          .selectFrom('subscriptions')
          .selectAll()
          .where('subscription_id', '=', id)
          .executeTakeFirstOrThrow()
      ).status
    expect((await site.operator.submit(`/webhooks/${id}/disable`)).headers.location).to.equal(`/webhooks/${id}`)
    expect(await statusOf()).to.equal('DISABLED')
    const refused = await site.operator.submit(`/webhooks/${id}/deliveries/${delivery}/redeliver`)
    expect(readNotice(refused)).to.deep.equal({
      text: 'This subscription is disabled. Enable it first.',
      failed: true,
    })
    await site.operator.submit(`/webhooks/${id}/enable`)
    expect(await statusOf()).to.equal('ACTIVE')
    const again = await site.operator.submit(`/webhooks/${id}/deliveries/${delivery}/redeliver`)
    const [, made] = /^\/webhooks\/whk_\w+\/deliveries\/([\w-]+)$/.exec(again.headers.location!)!
    expect(made).to.not.equal(delivery)
    expect((await site.support.get(again.headers.location!)).text).to.include('order.confirmed')
    expect((await site.listActions()).slice(0, 4)).to.have.deep.members([
      ['ada', 'webhook.redeliver', 'done'],
      ['ada', 'webhook.enable', 'done'],
      ['ada', 'webhook.redeliver', 'failed'],
      ['ada', 'webhook.disable', 'done'],
    ])
  })

  it('lets an operator send the events that an endpoint missed and those that wait', async () => {
    const { id, delivery } = await insertFailedDelivery(site.api)
    const path = `/webhooks/${id}`
    const button = `action="${path}/recover"`
    expect((await site.operator.get(path)).text).to.include(button)
    expect((await site.support.get(path)).text).to.not.include(button)
    expect((await site.support.submit(`${path}/recover`)).status).to.equal(403)
    const recover = async () => readNotice(await site.operator.submit(`${path}/recover`)).text
    const listDeliveries = () =>
      site.api.db.selectFrom('deliveries').selectAll().where('subscription_id', '=', id).orderBy('created_at').execute()
    // The API tries to send, in vain: a delivery that it has just tried waits again, until its next attempt.
    expect(await recover()).to.match(/^1 missed event is sent again, and [01] waiting events? (?:is|are) sent now\.$/)
    const again = (await listDeliveries()).find(({ delivery_id }) => delivery_id !== delivery)!
    expect(again).to.include({ cause: 'RECOVERY', status: 'PENDING' })
    await until('the waiting event is sent now', async () => {
      await site.api.db
        .updateTable('deliveries')
        .set({ due_at: '2999-01-01T00:00:00.000Z' })
        .where('delivery_id', '=', again.delivery_id)
        .execute()
      return (await recover()) === '0 missed events are sent again, and 1 waiting event is sent now.'
    })
    expect((await listDeliveries()).map(({ due_at }) => due_at.startsWith('2999'))).to.deep.equal([false, false])
    expect((await listDeliveries()).map(({ status }) => status)).to.include('PENDING')
    const unchanged =
      'Nothing was changed: the endpoint has missed no other events, and no waiting event can be sent sooner.'
    await until('nothing waits', async () => (await recover()) === unchanged)
    expect((await site.listActions())[0]).to.deep.equal(['ada', 'webhook.recover', 'done'])
    await site.operator.submit(`${path}/disable`)
    expect(await recover()).to.equal('This subscription is disabled. Enable it first.')
  })

  it('shows how often an endpoint failed and since when, in the time zone of its merchant, as do Now and Audit', async () => {
    const { id } = await insertFailedDelivery(site.api)
    const failing = async (minutes: number) => {
      const since = new Date(Date.now() - minutes * 60_000)
      await site.api.db
        .updateTable('subscriptions')
        .set({ consecutive_failures: 2, failing_since: since.toISOString() })
        .where('subscription_id', '=', id)
        .execute()
      return formatTime(since.toISOString(), TIME_ZONE, Date.now()).text
    }
    const shown = async (path: string) => {
      const { text } = await site.support.get(path)
      return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    }
    const recent = await failing(1)
    expect(await shown('/webhooks')).to.include(`Latest attempts failed 2 failed attempts in a row, since ${recent}`)
    expect(await shown(`/webhooks/${id}`)).to.include(`Failed attempts in a row 2, since ${recent}`)
    const failingNow = /[1-9]\d* endpoints? without a successful attempt for 15 minutes/
    expect(await shown('/')).to.not.match(failingNow)
    const long = await failing(16)
    expect(await shown('/webhooks')).to.include(`Failing 2 failed attempts in a row, since ${long}`)
    await until('Now says so', async () => failingNow.test(await shown('/')))
    await site.operator.submit(`/webhooks/${id}/disable`)
    expect(await shown(`/webhooks/${id}`)).to.match(/Disabled disabled manually, since [\d:]+ GMT-5/)
    const audit = (await shown('/audit')).replace(/Type a time as the pages show it:.*? UTC \./, '')
    expect(audit)
      .to.match(/\d\d:\d\d GMT-5/)
      .and.to.not.include('UTC')
  })

  it('refuses actions of support', async () => {
    const { id } = await insertFailedDelivery(site.api)
    expect((await site.support.submit(`/webhooks/${id}/disable`)).status).to.equal(403)
    expect((await site.support.get(`/webhooks/${id}`)).text).to.include('Active')
    expect((await site.listActions())[0]).to.deep.equal(['eve', 'webhook.disable', 'refused'])
  })

  it('responds with 404 for an unknown subscription', async () => {
    const none = ['whk_none', '%00', '..%2F..', `whk_${'0'.repeat(22)}`, "whk_'--", 'x'.repeat(2_000), '%E0%A4%A']
    for (const id of none) {
      expect((await site.support.get(`/webhooks/${id}`)).status, id).to.equal(404)
      expect((await site.operator.submit(`/webhooks/${id}/disable`)).status, id).to.be.oneOf([303, 404])
    }
  })
})
