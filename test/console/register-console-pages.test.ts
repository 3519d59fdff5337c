import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { createAuditedAction } from '../../src/console/audited-action.ts'
import type { ConsolePage } from '../../src/console/console-page.ts'
import { Problem } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'
import { listAuditLog } from '../../src/storage/operators/audit-log.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { type OperatorBrowser, startTestConsole, type TestConsole } from './test-console.ts'

const SECRET = 'internal detail'
const HOSTILE = '<img src=x onerror=alert(1)>'

interface PageState {
  completedActions: string[]
  loggedLines: string[]
  text: string
  /** Makes pages hang. */
  shouldHang?: boolean
  isHanging?: boolean
}

/** Pages for the tests: a live page, one for operators only, JSON, failing pages and actions. */
function createTestPages({ db, now }: { db: Database; now: () => number }, state: PageState): ConsolePage[] {
  const actionParts = { db, now, logger: pino({}, { write: (line) => void state.loggedLines.push(line) }) }
  const createAction = (path: string, run: () => Promise<void>) =>
    createAuditedAction(actionParts, {
      path,
      action: `test${path.replaceAll('/', '.')}`,
      readTarget: ({ form }) => ({ of: form.get('of') ?? 'nothing' }),
      failurePath: () => '/',
      async run({ form }) {
        await run()
        state.completedActions.push(path)
        return { redirect: form.get('way') ?? '/', message: `Done: ${form.get('of')}` }
      },
    })
  const respondWith = (title: string) => async () => {
    if (state.shouldHang) {
      state.isHanging = true
      await new Promise(() => {})
    }
    return { template: 'error', title, view: { message: `${state.text} ${SECRET}` } }
  }
  return [
    { method: 'GET', path: '/', role: 'support', isLive: true, respond: respondWith('Now') },
    { method: 'GET', path: '/plans', role: 'operator', respond: respondWith('Plans') },
    { method: 'GET', path: '/series/:id', role: 'support', respond: async () => ({ json: { secret: SECRET } }) },
    {
      method: 'GET',
      path: '/broken',
      role: 'support',
      respond: async () => {
        throw new Error(`the password is ${SECRET}`)
      },
    },
    {
      method: 'GET',
      path: '/missing',
      role: 'support',
      isLive: true,
      respond: async () => {
        throw new Problem('not_found')
      },
    },
    createAction('/act/done', async () => {}),
    createAction('/act/unaudited', async () => void (await db.schema.dropTable('audit_log').execute())),
    createAction('/act/refused', async () => {
      throw new Problem('subscription_disabled')
    }),
    createAction('/act/failed', async () => {
      throw new Error(`the password is ${SECRET}`)
    }),
  ]
}

for (const store of stores()) {
  describe(`the operations pages: ${store.name}`, () => {
    let db: Database
    let testConsole: TestConsole
    let state: PageState

    beforeEach(async () => {
      db = await store.open()
      state = { completedActions: [], loggedLines: [], text: 'first' }
      testConsole = await startTestConsole(db, (parts) => createTestPages(parts, state))
    })
    afterEach(async () => {
      await testConsole[Symbol.asyncDispose]()
      await store.close()
    })

    const listActions = async () =>
      (await listAuditLog(db, { limit: 50 }))
        .filter(({ action }) => action !== 'sign-in')
        .map(({ operator, action, target, outcome }) => [operator, action, target, outcome])

    describe('without a session', () => {
      const paths = [
        '/',
        '/plans',
        '/series/1',
        '/broken',
        '/act/done',
        '/nothing',
        '/metrics',
        '/sign-out/',
        '/%',
        '//',
      ]
      const cookies = [
        undefined,
        'forecourt_operations=',
        `forecourt_operations=${'A'.repeat(43)}`,
        `forecourt_operations="${'A'.repeat(43)}"; forecourt_operations=%%%; ;;==;a`,
        `forecourt_operations=${'é'.repeat(4_000)}`,
        `forecourt_operations=' or 1=1 --`,
      ]

      it('redirects page requests to the sign-in page, which leads back', async () => {
        for (const cookie of cookies) {
          for (const path of ['/', '/plans', '/series/1?a=b&c=d', '/nothing']) {
            const { status, headers, text } = await testConsole.request(path, {
              headers: { cookie },
            })
            expect(status).to.equal(303)
            const to = path === '/' ? '' : `?to=${encodeURIComponent(path)}`
            expect(headers.location).to.equal(`/sign-in${to}`)
            expect(text).to.not.include(SECRET)
          }
        }
      })

      it('refuses all other requests without revealing anything', async () => {
        for (const path of paths) {
          for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'GET', 'HEAD', 'TRACE']) {
            const headers = { accept: 'text/event-stream', 'content-type': 'application/x-www-form-urlencoded' }
            const { status, text, headers: got } = await testConsole.request(path, { method, headers })
            expect(status, `${method} ${path}`).to.equal(401)
            expect(text).to.not.include(SECRET)
            expect(got['set-cookie']).to.equal(undefined)
          }
        }
        expect(state.completedActions).to.deep.equal([])
      })

      it('serves the style sheet of the sign-in page and its script, but no others', async () => {
        const { text } = await testConsole.request('/sign-in')
        const [, css] = /href="(\/assets\/base-\w+\.css)"/.exec(text)!
        expect((await testConsole.request(css!)).status).to.equal(200)
        const browser = await testConsole.signInAs('ada')
        const inside = (await testConsole.get(browser, '/')).text
        const scripts = [...inside.matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
        expect(scripts).to.have.length(3)
        for (const path of scripts) {
          const isPublic = path.includes('/time-zone-')
          expect((await testConsole.request(path)).status, path).to.equal(isPublic ? 200 : 303)
          const { status, headers } = await testConsole.get(browser, path)
          expect([status, headers['cache-control']]).to.deep.equal([200, 'private, max-age=31536000, immutable'])
        }
        for (const path of ['/assets/base.css', '/assets/..%2Fpage-renderer.ts', '/assets/__proto__', '/assets/'])
          expect((await testConsole.get(browser, path)).status, path).to.equal(404)
      })
    })

    describe('with a session', () => {
      it('sends pages uncached with a strict content security policy, and escapes their values', async () => {
        state.text = HOSTILE
        const { status, headers, text } = await testConsole.get(await testConsole.signInAs('ada', 'support'), '/')
        expect(status).to.equal(200)
        expect(headers['content-security-policy']).to.equal(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        )
        expect(headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
        expect(headers['referrer-policy']).to.equal('same-origin')
        expect(text)
          .to.not.include(HOSTILE)
          .and.not.match(/<script>|<style|<[^>]*\s(?:style|on\w+)=/)
        expect(text).to.include('&lt;img src=x')
      })

      it('shows an error page without details for missing and failing pages', async () => {
        const browser = await testConsole.signInAs('ada')
        const missing = await testConsole.get(browser, '/nothing')
        expect([missing.status, missing.text.includes('There is no such page.')]).to.deep.equal([404, true])
        const broken = await testConsole.get(browser, '/broken')
        expect([broken.status, broken.text.includes(SECRET)]).to.deep.equal([500, false])
        const [, reference] = /reference <code>([\w-]+)</.exec(broken.text)!
        expect(testConsole.logLines.join('')).to.include(reference!).and.include(SECRET)
      })

      it('responds with 404 to malformed paths', async () => {
        const browser = await testConsole.signInAs('ada')
        const paths = [
          '/%',
          '//',
          '/series/%E0%A4%A/x',
          '/%2e%2e/',
          '/series',
          '/series/',
          '/SERIES/1',
          '/?%',
          '/sign-in/x',
        ]
        for (const path of paths) {
          const { status, text } = await testConsole.get(browser, path)
          expect(status, path).to.equal(path === '/?%' ? 200 : 404)
          expect(text, path).to.include('<title>')
        }
      })

      it('lets support only read, and writes a refused action to the audit log', async () => {
        const browser = await testConsole.signInAs('eve', 'support')
        expect((await testConsole.get(browser, '/')).status).to.equal(200)
        expect((await testConsole.get(browser, '/plans')).status).to.equal(403)
        const reply = await testConsole.submit(browser, '/act/done', { of: 'pricing' })
        expect(reply.status).to.equal(403)
        expect(state.completedActions).to.deep.equal([])
        expect(await listActions()).to.deep.equal([['eve', 'test.act.done', '{"of":"pricing"}', 'refused']])
      })

      it('runs an action of an operator, shows its message once and writes it to the audit log', async () => {
        const browser = await testConsole.signInAs('ada')
        const reply = await testConsole.submit(browser, '/act/done', { of: HOSTILE })
        expect([reply.status, reply.headers.location, state.completedActions]).to.deep.equal([303, '/', ['/act/done']])
        const messageCookie = reply.headers['set-cookie']![0]!.split(';')[0]!
        const cookie = `${browser.cookie}; ${messageCookie}`
        const shown = await testConsole.get({ ...browser, cookie }, '/')
        expect(shown.text).to.include('Done: &lt;img')
        expect(shown.headers['set-cookie']![0]).to.match(/^forecourt_notice=; .*Max-Age=0$/)
        expect(await listActions()).to.deep.equal([['ada', 'test.act.done', JSON.stringify({ of: HOSTILE }), 'done']])
      })

      it('ignores a message cookie with a wrong signature', async () => {
        const browser = await testConsole.signInAs('ada')
        const text = Buffer.from('{"text":"Call 555","failed":false}').toString('base64url')
        for (const planted of [`${text}.${text}`, `${text}.`, text, '.', '%', 'x.y.z']) {
          const shown = await testConsole.get(
            { ...browser, cookie: `${browser.cookie}; forecourt_notice=${planted}` },
            '/',
          )
          expect([shown.status, shown.text.includes('Call 555')]).to.deep.equal([200, false])
        }
      })

      it('never redirects to another site after an action', async () => {
        const browser = await testConsole.signInAs('ada')
        const { headers } = await testConsole.submit(browser, '/act/done', { way: '//evil.example/' })
        expect(headers.location).to.equal('/')
      })

      it('writes a failed action to the audit log, and shows only public details', async () => {
        const browser = await testConsole.signInAs('ada')
        const runAndReadMessage = async (path: string) => {
          const { headers } = await testConsole.submit(browser, path)
          const cookie = `${browser.cookie}; ${headers['set-cookie']![0]!.split(';')[0]}`
          return /role="alert">([^<]+)</.exec((await testConsole.get({ ...browser, cookie }, '/')).text)?.[1]
        }
        expect(await runAndReadMessage('/act/refused')).to.equal(
          'Not done: This subscription is disabled. Enable it first.',
        )
        expect(await runAndReadMessage('/act/failed')).to.match(
          /^Not done: The action failed\. Details are in the log under aud_\w+\.$/,
        )
        const outcomes = (await listActions()).map(([, action, , outcome]) => [action, outcome])
        expect(outcomes).to.have.deep.members([
          ['test.act.refused', 'failed'],
          ['test.act.failed', 'failed'],
        ])
      })

      it('reports an action as done even if its audit entry could not be updated, and logs that', async () => {
        const { status, headers } = await testConsole.submit(await testConsole.signInAs('ada'), '/act/unaudited', {
          of: 'it',
        })
        expect([status, headers.location, state.completedActions]).to.deep.equal([303, '/', ['/act/unaudited']])
        expect(state.loggedLines.join('')).to.match(/"entry":"aud_\w+".*was done/)
      })

      it('refuses a form with a wrong token or from another site', async () => {
        const [browser, other] = [await testConsole.signInAs('ada'), await testConsole.signInAs('ben')]
        const { cookie, csrf } = browser
        const attempts: [Record<string, string>, Record<string, string>][] = [
          [{}, {}],
          [{ csrf: '' }, {}],
          [{ csrf: other.csrf }, {}],
          [{ csrf: `${csrf}x` }, {}],
          [{ csrf: 'é'.repeat(43) }, {}],
          [{ csrf }, { origin: 'https://evil.example' }],
          [{ csrf }, { origin: 'null' }],
          [{ csrf }, { 'sec-fetch-site': 'cross-site' }],
          [{ csrf }, { 'sec-fetch-site': 'same-site' }],
        ]
        for (const [form, headers] of attempts) {
          const { status } = await testConsole.postForm('/act/done', form, { cookie, ...headers })
          expect(status, JSON.stringify([form, headers])).to.equal(403)
        }
        const json = { cookie, 'content-type': 'application/json', origin: testConsole.address }
        expect((await testConsole.request('/act/done', { headers: json, body: { csrf } })).status).to.equal(415)
        expect((await testConsole.request('/act/done', { headers: json, method: 'GET' })).status).to.equal(404)
        expect([state.completedActions, await listActions()]).to.deep.equal([[], []])
      })

      it('reads at most 64 KiB of a form', async () => {
        const browser = await testConsole.signInAs('ada')
        expect((await testConsole.submit(browser, '/act/done', { of: 'x'.repeat(60_000) })).status).to.equal(303)
        const { status, text } = await testConsole.submit(browser, '/act/done', { of: 'x'.repeat(70_000) })
        expect([status, text.includes('larger than 64 KiB')]).to.deep.equal([413, true])
        expect((await testConsole.postForm('/sign-in', { name: 'x'.repeat(70_000) })).status).to.equal(413)
        const [entry] = await listActions()
        expect(entry![2]!.length).to.be.below(250)
      })
    })

    describe('a live page', () => {
      /** Opens the event stream of a page and collects its text. */
      function openStream(browser: OperatorBrowser, path = '/') {
        const { port } = new URL(testConsole.address)
        const stream = { text: '', status: 0, ended: false }
        const headers = { cookie: browser.cookie, accept: 'text/event-stream' }
        const call = request({ host: '127.0.0.1', port, path, headers, agent: false }, (reply) => {
          stream.status = reply.statusCode!
          reply.on('data', (chunk) => {
            stream.text += chunk
          })
          reply.on('end', () => {
            stream.ended = true
          })
        })
        call.on('error', () => {})
        call.end()
        return { stream, disconnect: () => call.destroy() }
      }

      it('sends its main part at first and after each change', async () => {
        const { stream, disconnect } = openStream(await testConsole.signInAs('ada', 'support'))
        await until('the page is sent', () => stream.text.includes('event: main\ndata: <h1>Now</h1>\n'))
        state.text = 'second'
        await until('the change is sent', () => /event: main\n(?:data: .*\n)*data: <p>second /.test(stream.text))
        expect(stream.text.match(/event: main/g)).to.have.length(2)
        expect(stream.text).to.not.include('<html')
        disconnect()
      })

      it('ends when the session ends or is idle', async () => {
        const [ada, ben] = [await testConsole.signInAs('ada'), await testConsole.signInAs('ben')]
        const [one, two] = [openStream(ada), openStream(ben)]
        await until('both are sent', () => [one, two].every(({ stream }) => stream.text.includes('event: main')))
        await testConsole.submit(ada, '/sign-out')
        await until('it ends', () => one.stream.ended)
        expect(one.stream.text).to.match(/event: ended\ndata:\n\n$/)
        expect(two.stream.ended).to.equal(false)
        testConsole.clock.ms += 3_600_000
        await until('the other ends, idle', () => two.stream.ended)
      })

      it('is not available without a session or for other pages', async () => {
        const browser = await testConsole.signInAs('ada')
        expect((await testConsole.request('/', { headers: { accept: 'text/event-stream' } })).status).to.equal(401)
        const { headers } = await testConsole.get(browser, '/series/1', { accept: 'text/event-stream' })
        expect(headers['content-type']).to.match(/^application\/json/)
      })

      it('ends when its subject no longer exists, so that the browser reloads it', async () => {
        const { stream } = openStream(await testConsole.signInAs('ada'), '/missing')
        await until('it ends', () => stream.ended)
        expect(stream.text).to.match(/event: ended\ndata:\n\n$/)
        expect(state.loggedLines).to.deep.equal([])
      })

      it('is sent completely, whatever line terminators it contains', async () => {
        state.text = 'one\u2028two\rthree'
        const { stream, disconnect } = openStream(await testConsole.signInAs('ada'))
        await until('the page is sent', () => stream.text.includes('event: main'))
        expect(stream.text).to.include('data: <p>one\u2028two\ndata: three ')
        disconnect()
      })

      it('frees its slot if the client disconnects before the response', async () => {
        const browser = await testConsole.signInAs('ada')
        const { port } = new URL(testConsole.address)
        const head = `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${browser.cookie}\r\nAccept: text/event-stream\r\n\r\n`
        for (let i = 0; i < 60; i++) {
          const socket = connect(Number(port), '127.0.0.1')
          await once(socket, 'connect')
          socket.write(head, () => socket.destroy())
          await once(socket, 'close')
        }
        await until('one is given', async () => {
          const { stream, disconnect } = openStream(browser)
          await until('it is answered', () => stream.status !== 0)
          disconnect()
          return stream.status === 200
        })
      })

      it('does not delay the shutdown of the listener, nor does a slow form', async () => {
        const { port } = new URL(testConsole.address)
        const socket = connect(Number(port), '127.0.0.1')
        socket.write('POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nname=')
        await once(socket, 'connect')
        socket.on('error', () => {})
        const { stream } = openStream(await testConsole.signInAs('ada'))
        await until('the page is sent', () => stream.text.includes('event: main'))
        await testConsole[Symbol.asyncDispose]()
        await until('it has ended', () => stream.ended)
      })

      it('ends with the listener even if a page hangs', async () => {
        const { stream } = openStream(await testConsole.signInAs('ada'))
        await until('the page is sent', () => stream.text.includes('event: main'))
        state.shouldHang = true
        await until('the next answer hangs', () => state.isHanging === true)
        await testConsole[Symbol.asyncDispose]()
        await until('it has ended', () => stream.ended)
      })

      it('is limited to ten per account and 50 in total, until a client disconnects', async () => {
        const browsers: OperatorBrowser[] = []
        for (const name of ['ada', 'ben', 'cleo', 'dora', 'eve', 'finn'])
          browsers.push(await testConsole.signInAs(name))
        const [browser, another] = [browsers[0]!, browsers[5]!]
        const many = Array.from({ length: 10 }, () => openStream(browser))
        await until('all are open', () => many.every(({ stream }) => stream.status === 200))
        expect((await testConsole.get(browser, '/', { accept: 'text/event-stream' })).status).to.equal(503)
        const more = browsers.slice(1, 5).flatMap((one) => Array.from({ length: 10 }, () => openStream(one)))
        await until('those of others are', () => more.every(({ stream }) => stream.status === 200))
        expect((await testConsole.get(another, '/', { accept: 'text/event-stream' })).status).to.equal(503)
        many[0]!.disconnect()
        const again = { stream: { status: 0 } as { status: number } }
        await until('one more is taken', async () => {
          const { stream, disconnect } = openStream(browser)
          await until('it is answered', () => stream.status !== 0)
          again.stream = stream
          if (stream.status !== 200) disconnect()
          return stream.status === 200
        })
      })
    })
  })
}

describe('the probes of the operations listener', () => {
  const [store] = stores()
  let db: Database
  before(async () => {
    db = await store!.open()
  })
  after(() => store!.close())

  it('report liveness and readiness without a session and without the store', async () => {
    // Without a store, which probes must not use.
    await using testConsole = await startTestConsole(null as never, [])
    const probe = async () =>
      [await testConsole.request('/livez'), await testConsole.request('/readyz')].map(({ status, body }) => [
        status,
        body,
      ])
    const live = [200, { status: 'ok' }]
    expect(await probe()).to.deep.equal([live, [503, { status: 'starting', store: 'ok' }]])
    testConsole.readiness.markReady()
    expect(await probe()).to.deep.equal([live, [200, { status: 'ready', store: 'ok' }]])
    testConsole.readiness.markDraining()
    testConsole.readiness.markReady()
    expect(await probe()).to.deep.equal([live, [503, { status: 'draining', store: 'ok' }]])
    expect((await testConsole.request('/livez', { method: 'POST' })).status).to.equal(401)
  })

  it('include metrics only where configured', async () => {
    await using testConsole = await startTestConsole(db, [], { metrics: true })
    const { status, text, headers } = await testConsole.request('/metrics')
    expect([status, text]).to.deep.equal([200, 'forecourt_up 1\n'])
    expect(headers['content-type']).to.match(/^text\/plain; version=0\.0\.4/)
    await using other = await startTestConsole(db, [])
    expect((await other.request('/metrics')).status).to.equal(303)
  })
})
