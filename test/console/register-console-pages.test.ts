import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { listAuditLog } from '../../src/storage/operators/audit-log.ts'
import { stores } from '../support/stores.ts'
import { createTestPages, type PageState, SECRET } from './create-test-pages.ts'
import { startTestConsole, type TestConsole } from './test-console.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

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
  })
}
