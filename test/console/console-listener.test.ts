import { expect } from 'chai'
import { createPasswordHasher } from '../../src/commands/password-hasher.ts'
import { formatTime } from '../../src/console/text/format-times.ts'
import { randomBase62 } from '../../src/security/base62.ts'
import { listAuditLog } from '../../src/storage/operators/audit-log.ts'
import { addOperator, type OperatorRole } from '../../src/storage/operators/operator-accounts.ts'
import { type Api, startApi } from '../support/api.ts'
import { type HttpRequestOptions, type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { type OperatorBrowser, toCookieHeader } from './test-console.ts'

const PASSWORD = 'correct horse battery'
/** The time zone of every merchant in these tests. */
const TIME_ZONE = 'America/Jamaica'
const HOSTILE = '"><script>alert(1)</script>'

for (const store of stores()) {
  describe(`the operations listener next to the API: ${store.name}`, () => {
    let api: Api
    let operator: OperatorBrowser
    let support: OperatorBrowser
    let orderCount = 0

    before(async () => {
      await store.open()
      api = await startApi({ store: store.url(), operations: {} })
      operator = await signInAs('ada', 'operator')
      support = await signInAs('eve', 'support')
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const request = (path: string, options?: HttpRequestOptions): Promise<Reply> =>
      sendHttpRequest(api.operationsAddress, path, options)
    const get = ({ cookie }: OperatorBrowser, path: string) => request(path, { headers: { cookie } })

    function postForm(path: string, form: Record<string, string>, cookie?: string): Promise<Reply> {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: api.operationsAddress, cookie }
      return request(path, { method: 'POST', headers, body: new URLSearchParams(form).toString() })
    }
    const submit = ({ cookie, csrf }: OperatorBrowser, path: string) => postForm(path, { csrf }, cookie)

    async function signInAs(name: string, role: OperatorRole): Promise<OperatorBrowser> {
      const passwordHash = await createPasswordHasher().hash(PASSWORD)
      await addOperator(api.db, { name, role, passwordHash }, Date.now())
      const cookie = toCookieHeader(await postForm('/sign-in', { name, password: PASSWORD }))
      const { text } = await get({ cookie, csrf: '' }, '/audit')
      return { cookie, csrf: /name="csrf" value="(\w+)"/.exec(text)![1]! }
    }

    const secretKey = () => api.key({ kind: 'secret', mode: 'live' })

    /** Creates a subscription of acme in live mode, with one failed delivery. */
    async function createSubscription(description = 'ERP'): Promise<{ id: string; delivery: string; secret: string }> {
      const key = await secretKey()
      const url = `http://127.0.0.1:9/hook-token-s3cret?token=s3cret&n=${Math.random()}`
      const body = { endpoint_url: url, event_types: ['*'], description }
      const reply = await api.request('/v1/webhooks', { key, body })
      expect(reply.status).to.equal(201)
      const { subscription_id: id, signing_secret: secret } = reply.body
      const at = new Date().toISOString()
      const event = {
        event_id: `evt_${randomBase62(22)}`,
        tenant_id: 'acme',
        mode: 'live',
        type: 'order.confirmed',
      } as const
      const delivery = crypto.randomUUID()
      await api.db
        .insertInto('events')
        .values({
          ...event,
          resource_type: 'order',
          resource_id: `SO-${++orderCount}`,
          sequence: 1,
          data: '{"a":1}',
          created_at: at,
        })
        .execute()
      const log = [
        {
          number: 1,
          at,
          duration_ms: 12,
          response_status: 500,
          error: 'http_status',
          response_excerpt: 'token s3cret',
        },
      ]
      await api.db
        .insertInto('deliveries')
        .values({
          delivery_id: delivery,
          subscription_id: id,
          tenant_id: 'acme',
          mode: 'live',
          event_id: event.event_id,
          event_type: event.type,
          coalesce: null,
          status: 'EXHAUSTED',
          cause: 'EVENT',
          attempts: 1,
          log: JSON.stringify(log),
          due_at: at,
          lease: null,
          response_status: 500,
          created_at: at,
          ended_at: at,
        })
        .execute()
      return { id, delivery, secret }
    }

    const listActions = async () =>
      (await listAuditLog(api.db, { limit: 50 })).map(({ operator: who, action, outcome }) => [who, action, outcome])

    /** Returns the notice that the next page shows. */
    const readNotice = ({ headers }: Awaited<ReturnType<typeof submit>>): { text: string; failed: boolean } =>
      JSON.parse(String(Buffer.from(/forecourt_notice=([\w-]+)/.exec(headers['set-cookie']![0]!)![1]!, 'base64url')))

    it('refuses every page and action without a session', async () => {
      const { id, delivery } = await createSubscription()
      const ids = { incident: 'inc_1', id, delivery }
      const reading = ['/', '/incidents', `/incidents/${ids.incident}`, '/timeline', '/timeline/series', '/request']
      reading.push('/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries/${delivery}`, '/keys', '/audit')
      for (const path of reading) {
        const { status, text } = await request(path)
        expect([status, text], path).to.deep.equal([303, 'Redirecting to the URL in the Location header.'])
        expect((await request(path, { headers: { accept: 'application/json' } })).status, path).to.equal(401)
      }
      const acts = [`/webhooks/${id}/disable`, `/webhooks/${id}/deliveries/${delivery}/redeliver`, '/keys/key_1/revoke']
      for (const path of acts) expect((await postForm(path, { csrf: operator.csrf })).status, path).to.equal(401)
      expect((await request('/metrics')).status).to.equal(303)
      expect((await request('/livez')).body).to.deep.equal({ status: 'ok' })
      expect((await request('/readyz')).body).to.deep.equal({ status: 'ready', store: 'ok' })
    })

    it('accepts no API keys, and its sessions and passwords are not valid for the API', async () => {
      const token = operator.cookie.split('=')[1]!
      const tries = [
        { cookie: operator.cookie },
        { authorization: `Bearer ${token}` },
        { authorization: `Bearer ${PASSWORD}` },
        { authorization: `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}` },
      ]
      for (const headers of tries)
        for (const path of ['/v1/ping', '/v1/products', '/v1/webhooks'])
          expect((await api.request(path, { headers })).status).to.equal(401)
      for (const path of ['/sign-in', '/audit', '/keys', '/webhooks', '/assets/base.css'])
        expect((await api.request(path, { headers: { cookie: operator.cookie } })).status, path).to.equal(404)
      const shopper = { headers: { 'x-storefront-shopper-token': token }, key: await secretKey() }
      expect((await api.request('/v1/me', shopper)).status).to.equal(401)
      const key = await secretKey()
      expect(
        (await request('/keys', { headers: { authorization: `Bearer ${key}`, accept: 'application/json' } })).status,
      ).to.equal(401)
      expect((await request('/keys', { headers: { cookie: `forecourt_operations=${key}` } })).status).to.equal(303)
    })

    it('handles values that a store cannot hold', async () => {
      const { id } = await createSubscription()
      for (const path of [
        '/incidents/%00',
        '/incidents?before=%00~%00',
        '/incidents?merchant=%00&mode=%00&state=%00',
        '/request?id=%00',
        '/request?merchant=%00',
        '/timeline?merchant=%00&range=%00',
        '/timeline/series?merchant=%00',
        '/circuits/%00/live/pricing',
        `/webhooks/${id}/deliveries/%00`,
      ])
        expect((await get(support, path)).status, path).to.be.oneOf([200, 404])
      const { cookie, csrf } = operator
      for (const [path, form] of [
        [`/webhooks/${id}/deliveries/%00/redeliver`, {}],
        ['/circuits/%00/live/pricing/hold', { state: '\0', minutes: '\0' }],
        ['/cache/purge', { merchant: 'acme', skus: 'A\0B' }],
        ['/cache/purge', { merchant: '\0', skus: '\0' }],
      ] as const)
        expect((await postForm(path, { csrf, ...form }, cookie)).status, path).to.equal(303)
    })

    describe('Webhooks', () => {
      it('shows deliveries without secrets, URL paths and response bodies', async () => {
        const { id, delivery, secret } = await createSubscription(HOSTILE)
        for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/deliveries/${delivery}`]) {
          const { status, text } = await get(support, path)
          expect(status, path).to.equal(200)
          expect(text).to.include('http://127.0.0.1:9/…')
          for (const hidden of ['s3cret', secret, HOSTILE, '<script>alert']) expect(text, path).to.not.include(hidden)
        }
        const page = (await get(support, `/webhooks/${id}/deliveries/${delivery}`)).text
        expect(page)
          .to.include('Abandoned')
          .and.include('12 ms')
          .and.include('Its own log has the error')
          .and.match(/order <a class="mono" href="\/find\?q=SO-/)
          .and.include('token […]')
        expect(page).to.not.include('<form method="post" action="/webhooks')
      })

      it('lets an operator disable, enable and redeliver, and writes that to the audit log', async () => {
        const { id, delivery } = await createSubscription()
        const statusOf = async () =>
          (
            await api.db
              .selectFrom('subscriptions')
              .selectAll()
              .where('subscription_id', '=', id)
              .executeTakeFirstOrThrow()
          ).status
        expect((await submit(operator, `/webhooks/${id}/disable`)).headers.location).to.equal(`/webhooks/${id}`)
        expect(await statusOf()).to.equal('DISABLED')
        const refused = await submit(operator, `/webhooks/${id}/deliveries/${delivery}/redeliver`)
        expect(readNotice(refused)).to.deep.equal({
          text: 'This subscription is disabled. Enable it first.',
          failed: true,
        })
        await submit(operator, `/webhooks/${id}/enable`)
        expect(await statusOf()).to.equal('ACTIVE')
        const again = await submit(operator, `/webhooks/${id}/deliveries/${delivery}/redeliver`)
        const [, made] = /^\/webhooks\/whk_\w+\/deliveries\/([\w-]+)$/.exec(again.headers.location!)!
        expect(made).to.not.equal(delivery)
        expect((await get(support, again.headers.location!)).text).to.include('order.confirmed')
        expect((await listActions()).slice(0, 4)).to.have.deep.members([
          ['ada', 'webhook.redeliver', 'done'],
          ['ada', 'webhook.enable', 'done'],
          ['ada', 'webhook.redeliver', 'failed'],
          ['ada', 'webhook.disable', 'done'],
        ])
      })

      it('lets an operator send the events that an endpoint missed and those that wait', async () => {
        const { id, delivery } = await createSubscription()
        const path = `/webhooks/${id}`
        const button = `action="${path}/recover"`
        expect((await get(operator, path)).text).to.include(button)
        expect((await get(support, path)).text).to.not.include(button)
        expect((await submit(support, `${path}/recover`)).status).to.equal(403)
        const recover = async () => readNotice(await submit(operator, `${path}/recover`)).text
        const listDeliveries = () =>
          api.db.selectFrom('deliveries').selectAll().where('subscription_id', '=', id).orderBy('created_at').execute()
        expect(await recover()).to.equal('1 missed event is sent again, and 0 waiting events are sent now.')
        const again = (await listDeliveries()).find(({ delivery_id }) => delivery_id !== delivery)!
        expect(again).to.include({ cause: 'RECOVERY', status: 'PENDING' })
        await api.db
          .updateTable('deliveries')
          .set({ due_at: '2999-01-01T00:00:00.000Z' })
          .where('delivery_id', '=', again.delivery_id)
          .execute()
        expect(await recover()).to.equal('0 missed events are sent again, and 1 waiting event is sent now.')
        expect((await listDeliveries()).map(({ due_at }) => due_at.startsWith('2999'))).to.deep.equal([false, false])
        expect((await listDeliveries()).map(({ status }) => status)).to.include('PENDING')
        expect(await recover()).to.equal(
          'Nothing was changed: the endpoint has missed no other events, and no waiting event can be sent sooner.',
        )
        expect((await listActions())[0]).to.deep.equal(['ada', 'webhook.recover', 'done'])
        await submit(operator, `${path}/disable`)
        expect(await recover()).to.equal('This subscription is disabled. Enable it first.')
      })

      it('shows how often an endpoint failed and since when, in the time zone of its merchant, as do Now and Audit', async () => {
        const { id } = await createSubscription()
        const failing = async (minutes: number) => {
          const since = new Date(Date.now() - minutes * 60_000)
          await api.db
            .updateTable('subscriptions')
            .set({ consecutive_failures: 2, failing_since: since.toISOString() })
            .where('subscription_id', '=', id)
            .execute()
          return formatTime(since.toISOString(), TIME_ZONE, Date.now()).text
        }
        const shown = async (path: string) => {
          const { text } = await get(support, path)
          return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
        }
        const recent = await failing(1)
        expect(await shown('/webhooks')).to.include(
          `Latest attempts failed 2 failed attempts in a row, since ${recent}`,
        )
        expect(await shown(`/webhooks/${id}`)).to.include(`Failed attempts in a row 2, since ${recent}`)
        const failingNow = /[1-9]\d* endpoints? without a successful attempt for 15 minutes/
        expect(await shown('/')).to.not.match(failingNow)
        const long = await failing(16)
        expect(await shown('/webhooks')).to.include(`Failing 2 failed attempts in a row, since ${long}`)
        await until('Now says so', async () => failingNow.test(await shown('/')))
        await submit(operator, `/webhooks/${id}/disable`)
        expect(await shown(`/webhooks/${id}`)).to.match(/Disabled disabled manually, since [\d:]+ GMT-5/)
        expect(await shown('/audit'))
          .to.match(/\d\d:\d\d GMT-5/)
          .and.to.not.include('UTC')
      })

      it('refuses actions of support', async () => {
        const { id } = await createSubscription()
        expect((await submit(support, `/webhooks/${id}/disable`)).status).to.equal(403)
        expect((await get(support, `/webhooks/${id}`)).text).to.include('Active')
        expect((await listActions())[0]).to.deep.equal(['eve', 'webhook.disable', 'refused'])
      })

      it('responds with 404 for an unknown subscription', async () => {
        const none = ['whk_none', '%00', '..%2F..', `whk_${'0'.repeat(22)}`, "whk_'--", 'x'.repeat(2_000), '%E0%A4%A']
        for (const id of none) {
          expect((await get(support, `/webhooks/${id}`)).status, id).to.equal(404)
          expect((await submit(operator, `/webhooks/${id}/disable`)).status, id).to.be.oneOf([303, 404])
        }
      })
    })

    describe('Keys', () => {
      it('shows the usage of keys, but never a key', async () => {
        const { key, record } = await api.issueKey({ label: HOSTILE, rate: 1 })
        await api.request('/v1/ping', { key })
        expect((await api.request('/v1/ping', { key })).status).to.equal(429)
        const { status, text } = await get(support, '/keys')
        expect(status).to.equal(200)
        expect(text).to.include(record.key_id).and.include('&lt;script&gt;alert(1)')
        expect(text).to.not.include(key).and.not.include('<script>alert').and.not.include('/revoke"')
        const { digest } = await api.db
          .selectFrom('api_keys')
          .selectAll()
          .where('key_id', '=', record.key_id)
          .executeTakeFirstOrThrow()
        expect(text).to.not.include(digest)
      })

      it('counts the requests of a week, and those that were refused or rate limited', async () => {
        const { record } = await api.issueKey({ rate: 77, ratePerClient: 7 })
        const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
        const used = { key_id: record.key_id, requests: 20, refused: 3, limited: 2 }
        const last = { last_refusal_code: 'insufficient_scope', last_refused_at: day(1) }
        const none = { last_refusal_code: null, last_refused_at: null }
        await api.db
          .insertInto('key_days')
          .values([
            { ...used, ...none, day: day(0).slice(0, 10) },
            { ...used, ...last, day: day(1).slice(0, 10) },
            { ...used, ...none, day: day(8).slice(0, 10) },
          ])
          .execute()
        const { text } = await get(support, '/keys')
        const row = text.slice(text.indexOf(`id="${record.key_id}"`)).split('</tr>', 1)[0]!
        const cells = [...row.matchAll(/<td data-head="([^"]+)"[^>]*>(.*?)<\/td>/g)].map(([, head, cell]) => [
          head,
          cell!.replace(/<[^>]+>/g, ''),
        ])
        expect(Object.fromEntries(cells)).to.include({
          'Last used': `${day(0).slice(0, 10)} (UTC)`,
          Requests: '40',
          State: 'Active',
          'Key refused': '6 last refusal: Insufficient scope insufficient_scope',
          'Key rate limited': '4 limit 77/min, 7/min per client',
        })
      })

      it('shows the later of two recorded times as the last use of a key', async () => {
        const { record } = await api.issueKey()
        const { key_id } = record
        const used = async () => {
          const { text } = await get(support, '/keys')
          const row = text.slice(text.indexOf(`id="${key_id}"`)).split('</tr>', 1)[0]!
          return /data-head="Last used">(?:<time datetime="([^"]+)".*?<\/time>|never)<\/td>/.exec(row)![1]
        }
        expect(await used()).to.equal(undefined)
        const [now, refused] = [Date.now(), Date.now() - 60_000].map((ms) => new Date(ms).toISOString()) as [
          string,
          string,
        ]
        const counts = { requests: 3, refused: 1, limited: 0, last_refusal_code: 'insufficient_scope' }
        const row = { key_id, day: refused.slice(0, 10), ...counts, last_refused_at: refused }
        await api.db.insertInto('key_days').values(row).execute()
        expect(await used()).to.equal(refused)
        await api.db.updateTable('api_keys').set({ last_used_at: now }).where('key_id', '=', key_id).execute()
        expect(await used()).to.equal(now)
      })

      it('lets an operator revoke a key', async () => {
        const { key, record } = await api.issueKey({ label: 'lost' })
        expect((await api.request('/v1/ping', { key })).status).to.equal(200)
        expect((await submit(support, `/keys/${record.key_id}/revoke`)).status).to.equal(403)
        expect((await get(operator, '/keys')).text).to.include(`action="/keys/${record.key_id}/revoke"`)
        expect((await submit(operator, `/keys/${record.key_id}/revoke`)).status).to.equal(303)
        await until('it is refused', async () => (await api.request('/v1/ping', { key })).status === 401)
        expect((await get(support, '/keys')).text).to.not.include(record.key_id)
        expect((await get(support, '/keys?ended=shown')).text).to.match(new RegExp(`${record.key_id}[^]*?Revoked`))
        expect((await listActions()).slice(0, 2)).to.deep.equal([
          ['ada', 'key.revoke', 'done'],
          ['eve', 'key.revoke', 'refused'],
        ])
      })

      it('shows the keys of one merchant', async () => {
        const mine = await api.issueKey({ merchant: 'zenith' })
        const other = await api.issueKey({ merchant: 'acme' })
        const { text } = await get(support, '/keys?merchant=zenith')
        expect(text).to.include(mine.record.key_id).and.not.include(other.record.key_id)
        expect((await get(support, '/keys?merchant=%00')).status).to.equal(404)
      })
    })

    describe('Audit', () => {
      it('shows the actions of operators in pages, the newest first', async () => {
        const { record } = await api.issueKey()
        await submit(operator, `/keys/${record.key_id}/revoke`)
        const { text } = await get(support, '/audit?operator=ada')
        expect(text)
          .to.match(new RegExp(`key\\.revoke[^]*?${record.key_id}[^]*?Done`))
          .and.not.include('<span>eve')
        const row = {
          operator: 'bob',
          role: 'operator',
          action: 'test',
          target: '{"of":"<b>"}',
          outcome: 'done',
          address: null,
        } as const
        const many = Array.from({ length: 250 }, (_, n) => {
          const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') + Math.floor(n / 3)).toISOString()
          return { ...row, at, entry_id: `aud_bob${String(n).padStart(3, '0')}` }
        })
        await api.db.insertInto('audit_log').values(many).execute()
        const entryIds: string[] = []
        let path: string | undefined = '/audit?operator=bob'
        while (path) {
          const page: string = (await get(support, path)).text
          entryIds.push(...[...page.matchAll(/id="(aud_bob\d+)"/g)].map(([, id]) => id!))
          path = /href="(\/audit\?[^"]*before=[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
        }
        expect(entryIds).to.deep.equal(many.map(({ entry_id }) => entry_id).toReversed())
      })

      it('filters by who, what and when, and exports what it shows', async () => {
        const { record } = await api.issueKey({ mode: 'live' })
        await submit(operator, `/keys/${record.key_id}/revoke`)
        const { body } = await get(support, '/audit/export.json?operator=ada&action=key.revoke&from=2020-01-01T00:00')
        expect(body[0]).to.include({ operator: 'ada', action: 'key.revoke', outcome: 'done' })
        expect(body[0].target).to.deep.equal({ key: record.key_id })
        expect((await get(support, '/audit/export.json?action=key.revoke&to=2020-01-01T00:00')).body).to.deep.equal([])
        const signIns = await get(support, '/audit/export.json?action=sign-in')
        expect(new Set(signIns.body.map(({ action }: { action: string }) => action))).to.deep.equal(
          new Set(['sign-in']),
        )
        const { text, headers } = await get(support, '/audit/export.csv?action=key.revoke')
        expect(text)
          .to.match(/^at,operator,role,action,target,outcome,address,entry_id\r\n/)
          .and.include('""key""')
        expect(headers['content-disposition']).to.equal('attachment; filename="audit.csv"')
      })

      it('ignores malformed query parameters', async () => {
        for (const query of [
          'before=x',
          'before=%00',
          'operator=%00',
          "operator='--",
          'before=2026-01-01T00:00:00.000Z~aud_',
        ])
          expect((await get(support, `/audit?${query}`)).status, query).to.equal(200)
      })
    })
  })
}
