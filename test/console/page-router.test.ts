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
import { type OperatorSeat, startTestConsole, type TestConsole } from './test-console.ts'

const SECRET = 'not for those outside'
const evil = '<img src=x onerror=alert(1)>'

interface Seen {
  done: string[]
  logged: string[]
  shown: string
  /** Pages do not answer any more. */
  hangs?: boolean
  hanging?: boolean
}

/** What stands for the real pages: one that reads, one that is live, one of JSON, one for operators alone, and actions. */
function pagesOf({ db, now }: { db: Database; now: () => number }, seen: Seen): ConsolePage[] {
  const auditing = { db, now, logger: pino({}, { write: (line) => void seen.logged.push(line) }) }
  const action = (path: string, act: () => Promise<void>) =>
    createAuditedAction(auditing, {
      ...{ path, action: `test${path.replaceAll('/', '.')}` },
      target: ({ form }) => ({ of: form.get('of') ?? 'nothing' }),
      back: () => '/',
      async act({ form }) {
        await act()
        seen.done.push(path)
        return { redirect: form.get('way') ?? '/', notice: `Done: ${form.get('of')}` }
      },
    })
  const show = (title: string) => async () => {
    if (seen.hangs) {
      seen.hanging = true
      await new Promise(() => {})
    }
    return { template: 'error', title, view: { why: `${seen.shown} ${SECRET}` } }
  }
  return [
    { method: 'GET', path: '/', role: 'support', live: true, answer: show('Now') },
    { method: 'GET', path: '/plans', role: 'operator', answer: show('Plans') },
    { method: 'GET', path: '/series/:id', role: 'support', answer: async () => ({ json: { secret: SECRET } }) },
    {
      ...{ method: 'GET', path: '/broken', role: 'support' },
      answer: async () => {
        throw new Error(`the password is ${SECRET}`)
      },
    },
    {
      ...{ method: 'GET', path: '/gone', role: 'support', live: true },
      answer: async () => {
        throw new Problem('not_found')
      },
    },
    action('/act/well', async () => {}),
    action('/act/forgotten', async () => void (await db.schema.dropTable('audit_log').execute())),
    action('/act/refused', async () => {
      throw new Problem('subscription_disabled')
    }),
    action('/act/broken', async () => {
      throw new Error(`the password is ${SECRET}`)
    }),
  ]
}

for (const store of stores()) {
  describe(`the operations pages: ${store.name}`, () => {
    let db: Database
    let world: TestConsole
    let seen: Seen

    beforeEach(async () => {
      db = await store.open()
      seen = { done: [], logged: [], shown: 'first' }
      world = await startTestConsole(db, (of) => pagesOf(of, seen))
    })
    afterEach(async () => {
      await world[Symbol.asyncDispose]()
      await store.close()
    })

    const entries = async () =>
      (await listAuditLog(db, { limit: 50 }))
        .filter(({ action }) => action !== 'sign-in')
        .map(({ operator, action, target, outcome }) => [operator, action, target, outcome])

    describe('without a session', () => {
      const paths = [
        '/',
        '/plans',
        '/series/1',
        '/broken',
        '/act/well',
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

      it('leads whoever reads to the sign-in page, and back', async () => {
        for (const cookie of cookies) {
          for (const path of ['/', '/plans', '/series/1?a=b&c=d', '/nothing']) {
            const { status, headers, text } = await world.ask(path, {
              headers: { cookie },
            })
            expect(status).to.equal(303)
            const to = path === '/' ? '' : `?to=${encodeURIComponent(path)}`
            expect(headers.location).to.equal(`/sign-in${to}`)
            expect(text).to.not.include(SECRET)
          }
        }
      })

      it('refuses all else, and gives nothing away', async () => {
        for (const path of paths) {
          for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'GET', 'HEAD', 'TRACE']) {
            const headers = { accept: 'text/event-stream', 'content-type': 'application/x-www-form-urlencoded' }
            const { status, text, headers: got } = await world.ask(path, { method, headers })
            expect(status, `${method} ${path}`).to.equal(401)
            expect(text).to.not.include(SECRET)
            expect(got['set-cookie']).to.equal(undefined)
          }
        }
        expect(seen.done).to.deep.equal([])
      })

      it('serves no script, only what the sign-in page looks like', async () => {
        const { text } = await world.ask('/sign-in')
        const [, css] = /href="(\/assets\/console-\w+\.css)"/.exec(text)!
        expect((await world.ask(css!)).status).to.equal(200)
        const seat = await world.seat('ada')
        const inside = (await world.read(seat, '/')).text
        const scripts = [...inside.matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
        expect(scripts).to.have.length(2)
        for (const path of scripts) {
          expect((await world.ask(path)).status).to.equal(303)
          const { status, headers } = await world.read(seat, path)
          expect([status, headers['cache-control']]).to.deep.equal([200, 'private, max-age=31536000, immutable'])
        }
        for (const path of ['/assets/base.css', '/assets/..%2Fpage-renderer.ts', '/assets/__proto__', '/assets/'])
          expect((await world.read(seat, path)).status, path).to.equal(404)
      })
    })

    describe('with one', () => {
      it('shows pages under a strict policy that nobody keeps, and escapes what they show', async () => {
        seen.shown = evil
        const { status, headers, text } = await world.read(await world.seat('ada', 'support'), '/')
        expect(status).to.equal(200)
        expect(headers['content-security-policy']).to.equal(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        )
        expect(headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
        expect(headers['referrer-policy']).to.equal('same-origin')
        expect(text)
          .to.not.include(evil)
          .and.not.match(/<script>|<style|<[^>]*\s(?:style|on\w+)=/)
        expect(text).to.include('&lt;img src=x')
      })

      it('tells of what is missing or broken in its own words; the log has the rest', async () => {
        const seat = await world.seat('ada')
        const missing = await world.read(seat, '/nothing')
        expect([missing.status, missing.text.includes('There is no such page.')]).to.deep.equal([404, true])
        const broken = await world.read(seat, '/broken')
        expect([broken.status, broken.text.includes(SECRET)]).to.deep.equal([500, false])
        const [, reference] = /reference <code>([\w-]+)</.exec(broken.text)!
        expect(world.log.join('')).to.include(reference!).and.include(SECRET)
      })

      it('is not led astray by what a path says', async () => {
        const seat = await world.seat('ada')
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
          const { status, text } = await world.read(seat, path)
          expect(status, path).to.equal(path === '/?%' ? 200 : 404)
          expect(text, path).to.include('<title>')
        }
      })

      it('lets support read, and not more: what they tried is in the audit log', async () => {
        const seat = await world.seat('eve', 'support')
        expect((await world.read(seat, '/')).status).to.equal(200)
        expect((await world.read(seat, '/plans')).status).to.equal(403)
        const reply = await world.act(seat, '/act/well', { of: 'pricing' })
        expect(reply.status).to.equal(403)
        expect(seen.done).to.deep.equal([])
        expect(await entries()).to.deep.equal([['eve', 'test.act.well', '{"of":"pricing"}', 'refused']])
      })

      it('does what an operator asks, says so once, and notes it', async () => {
        const seat = await world.seat('ada')
        const reply = await world.act(seat, '/act/well', { of: evil })
        expect([reply.status, reply.headers.location, seen.done]).to.deep.equal([303, '/', ['/act/well']])
        const notice = reply.headers['set-cookie']![0]!.split(';')[0]!
        const cookie = `${seat.cookie}; ${notice}`
        const shown = await world.read({ ...seat, cookie }, '/')
        expect(shown.text).to.include('Done: &lt;img')
        expect(shown.headers['set-cookie']![0]).to.match(/^forecourt_notice=; .*Max-Age=0$/)
        expect(await entries()).to.deep.equal([['ada', 'test.act.well', JSON.stringify({ of: evil }), 'done']])
      })

      it('believes no notice that it did not leave', async () => {
        const seat = await world.seat('ada')
        const text = Buffer.from('{"text":"Call 555","failed":false}').toString('base64url')
        for (const planted of [`${text}.${text}`, `${text}.`, text, '.', '%', 'x.y.z']) {
          const shown = await world.read({ ...seat, cookie: `${seat.cookie}; forecourt_notice=${planted}` }, '/')
          expect([shown.status, shown.text.includes('Call 555')]).to.deep.equal([200, false])
        }
      })

      it('leads nowhere else after an action', async () => {
        const seat = await world.seat('ada')
        const { headers } = await world.act(seat, '/act/well', { way: '//evil.example/' })
        expect(headers.location).to.equal('/')
      })

      it('notes an action that failed, and says why as far as that is ours to say', async () => {
        const seat = await world.seat('ada')
        const noticeOf = async (path: string) => {
          const { headers } = await world.act(seat, path)
          const cookie = `${seat.cookie}; ${headers['set-cookie']![0]!.split(';')[0]}`
          return /role="alert">([^<]+)</.exec((await world.read({ ...seat, cookie }, '/')).text)?.[1]
        }
        expect(await noticeOf('/act/refused')).to.equal('Not done: This subscription is disabled; enable it first.')
        expect(await noticeOf('/act/broken')).to.match(/^Not done: It failed; the log says why \(aud_\w+\)\.$/)
        const outcomes = (await entries()).map(([, action, , outcome]) => [action, outcome])
        expect(outcomes).to.have.deep.members([
          ['test.act.refused', 'failed'],
          ['test.act.broken', 'failed'],
        ])
      })

      it('says that an action was done though its entry could not be settled; the log has that', async () => {
        const { status, headers } = await world.act(await world.seat('ada'), '/act/forgotten', { of: 'it' })
        expect([status, headers.location, seen.done]).to.deep.equal([303, '/', ['/act/forgotten']])
        expect(seen.logged.join('')).to.match(/"entry":"aud_\w+".*was done/)
      })

      it('does nothing for a form with a wrong token, or from elsewhere', async () => {
        const [seat, other] = [await world.seat('ada'), await world.seat('ben')]
        const { cookie, csrf } = seat
        const tries: [Record<string, string>, Record<string, string>][] = [
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
        for (const [form, headers] of tries) {
          const { status } = await world.post('/act/well', form, { cookie, ...headers })
          expect(status, JSON.stringify([form, headers])).to.equal(403)
        }
        const json = { cookie, 'content-type': 'application/json', origin: world.address }
        expect((await world.ask('/act/well', { headers: json, body: { csrf } })).status).to.equal(415)
        expect((await world.ask('/act/well', { headers: json, method: 'GET' })).status).to.equal(404)
        expect([seen.done, await entries()]).to.deep.equal([[], []])
      })

      it('reads 64 KiB of a form, not more', async () => {
        const seat = await world.seat('ada')
        expect((await world.act(seat, '/act/well', { of: 'x'.repeat(60_000) })).status).to.equal(303)
        const { status, text } = await world.act(seat, '/act/well', { of: 'x'.repeat(70_000) })
        expect([status, text.includes('larger than 64 KiB')]).to.deep.equal([413, true])
        expect((await world.post('/sign-in', { name: 'x'.repeat(70_000) })).status).to.equal(413)
        const [entry] = await entries()
        expect(entry![2]!.length).to.be.below(250)
      })
    })

    describe('a live page', () => {
      /** What a stream says, as it comes. */
      function watch(seat: OperatorSeat, path = '/') {
        const { port } = new URL(world.address)
        const state = { text: '', status: 0, ended: false }
        const headers = { cookie: seat.cookie, accept: 'text/event-stream' }
        const call = request({ host: '127.0.0.1', port, path, headers, agent: false }, (reply) => {
          state.status = reply.statusCode!
          reply.on('data', (chunk) => {
            state.text += chunk
          })
          reply.on('end', () => {
            state.ended = true
          })
        })
        call.on('error', () => {})
        call.end()
        return { state, leave: () => call.destroy() }
      }

      it('sends its main part at first, and when it changed', async () => {
        const { state, leave } = watch(await world.seat('ada', 'support'))
        await until('the page is sent', () => state.text.includes('event: main\ndata: <h1>Now</h1>\n'))
        seen.shown = 'second'
        await until('the change is sent', () => /event: main\n(?:data: .*\n)*data: <p>second /.test(state.text))
        expect(state.text.match(/event: main/g)).to.have.length(2)
        expect(state.text).to.not.include('<html')
        leave()
      })

      it('ends with its session, and with its account', async () => {
        const [ada, ben] = [await world.seat('ada'), await world.seat('ben')]
        const [one, two] = [watch(ada), watch(ben)]
        await until('both are sent', () => [one, two].every(({ state }) => state.text.includes('event: main')))
        await world.act(ada, '/sign-out')
        await until('it ends', () => one.state.ended)
        expect(one.state.text).to.match(/event: ended\ndata:\n\n$/)
        expect(two.state.ended).to.equal(false)
        world.clock.ms += 3_600_000
        await until('the other ends, idle', () => two.state.ended)
      })

      it('is no answer to whoever has not signed in, and none for a page that is not live', async () => {
        const seat = await world.seat('ada')
        expect((await world.ask('/', { headers: { accept: 'text/event-stream' } })).status).to.equal(401)
        const { headers } = await world.read(seat, '/series/1', { accept: 'text/event-stream' })
        expect(headers['content-type']).to.match(/^application\/json/)
      })

      it('ends when what it shows is gone, so that it is loaded again', async () => {
        const { state } = watch(await world.seat('ada'), '/gone')
        await until('it ends', () => state.ended)
        expect(state.text).to.match(/event: ended\ndata:\n\n$/)
        expect(seen.logged).to.deep.equal([])
      })

      it('is sent whole, whatever ends a line elsewhere', async () => {
        seen.shown = 'one\u2028two\rthree'
        const { state, leave } = watch(await world.seat('ada'))
        await until('the page is sent', () => state.text.includes('event: main'))
        expect(state.text).to.include('data: <p>one\u2028two\ndata: three ')
        leave()
      })

      it('is not kept for whoever left before it was answered', async () => {
        const seat = await world.seat('ada')
        const { port } = new URL(world.address)
        const head = `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${seat.cookie}\r\nAccept: text/event-stream\r\n\r\n`
        for (let i = 0; i < 60; i++) {
          const socket = connect(Number(port), '127.0.0.1')
          await once(socket, 'connect')
          socket.write(head, () => socket.destroy())
          await once(socket, 'close')
        }
        await until('one is given', async () => {
          const { state, leave } = watch(seat)
          await until('it is answered', () => state.status !== 0)
          leave()
          return state.status === 200
        })
      })

      it('does not hold the end of the listener, nor does a form that is sent slowly', async () => {
        const { port } = new URL(world.address)
        const socket = connect(Number(port), '127.0.0.1')
        socket.write('POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nname=')
        await once(socket, 'connect')
        socket.on('error', () => {})
        const { state } = watch(await world.seat('ada'))
        await until('the page is sent', () => state.text.includes('event: main'))
        await world[Symbol.asyncDispose]()
        await until('it has ended', () => state.ended)
      })

      it('ends with the listener, though its answer hangs', async () => {
        const { state } = watch(await world.seat('ada'))
        await until('the page is sent', () => state.text.includes('event: main'))
        seen.hangs = true
        await until('the next answer hangs', () => seen.hanging === true)
        await world[Symbol.asyncDispose]()
        await until('it has ended', () => state.ended)
      })

      it('is given ten times to an account and 50 times in all, then refused, and is free again when somebody leaves', async () => {
        const seats: OperatorSeat[] = []
        for (const name of ['ada', 'ben', 'cleo', 'dora', 'eve', 'finn']) seats.push(await world.seat(name))
        const [seat, another] = [seats[0]!, seats[5]!]
        const many = Array.from({ length: 10 }, () => watch(seat))
        await until('all are open', () => many.every(({ state }) => state.status === 200))
        expect((await world.read(seat, '/', { accept: 'text/event-stream' })).status).to.equal(503)
        const more = seats.slice(1, 5).flatMap((one) => Array.from({ length: 10 }, () => watch(one)))
        await until('those of others are', () => more.every(({ state }) => state.status === 200))
        expect((await world.read(another, '/', { accept: 'text/event-stream' })).status).to.equal(503)
        many[0]!.leave()
        const again = { state: { status: 0 } as { status: number } }
        await until('one more is taken', async () => {
          const { state, leave } = watch(seat)
          await until('it is answered', () => state.status !== 0)
          again.state = state
          if (state.status !== 200) leave()
          return state.status === 200
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

  it('say without a session whether it lives and is ready, though the store be away', async () => {
    // Without a store: they must not ask it.
    await using world = await startTestConsole(null as never, [])
    const asked = async () =>
      [await world.ask('/livez'), await world.ask('/readyz')].map(({ status, body }) => [status, body])
    const lives = [200, { status: 'ok' }]
    expect(await asked()).to.deep.equal([lives, [503, { status: 'starting' }]])
    world.readiness.markReady()
    expect(await asked()).to.deep.equal([lives, [200, { status: 'ready' }]])
    world.readiness.markDraining()
    world.readiness.markReady()
    expect(await asked()).to.deep.equal([lives, [503, { status: 'draining' }]])
    expect((await world.ask('/livez', { method: 'POST' })).status).to.equal(401)
  })

  it('say metrics where that is configured, and there alone', async () => {
    await using world = await startTestConsole(db, [], { metrics: true })
    const { status, text, headers } = await world.ask('/metrics')
    expect([status, text]).to.deep.equal([200, 'forecourt_up 1\n'])
    expect(headers['content-type']).to.match(/^text\/plain; version=0\.0\.4/)
    await using other = await startTestConsole(db, [])
    expect((await other.ask('/metrics')).status).to.equal(303)
  })
})
