import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { createTestPages, type PageState } from './create-test-pages.ts'
import { type OperatorBrowser, startTestConsole, type TestConsole } from './test-console.ts'

for (const store of stores()) {
  describe(`a live page of the operations pages: ${store.name}`, () => {
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
      for (const name of ['ada', 'ben', 'cleo', 'dora', 'eve', 'finn']) browsers.push(await testConsole.signInAs(name))
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
}
