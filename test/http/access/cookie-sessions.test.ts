import { expect } from 'chai'
import { createCookieSessions } from '../../../src/http/access/cookie-sessions.ts'

const tokens = (name: string) => ({ shopper_token: name, refresh_token: name })

/** A browser with the cookies of one host, at one of its ports. */
function createBrowser(host = 'localhost:8080', jar = new Map<string, string>()) {
  const cookies = { get: (name: string) => jar.get(name), set: (name: string, value: string) => jar.set(name, value) }
  return { cookies, host } as unknown as Parameters<ReturnType<typeof createCookieSessions>['open']>[0]
}

describe('sessions in memory', () => {
  it('keep refreshed tokens, but not those of a session that ended during the refresh', () => {
    const sessions = createCookieSessions({ cookie: 'forecourt_shop', path: '/shop' })
    const browser = createBrowser()
    sessions.open(browser, tokens('first'))
    const id = sessions.idOf(browser)
    const other = createBrowser()
    other.cookies.set('forecourt_shop_8080', id)
    sessions.replace(id, tokens('second'))
    expect(sessions.find(other)).to.deep.equal(tokens('second'))
    sessions.replace(id, null)
    sessions.replace(id, tokens('third'))
    expect(sessions.find(other)).to.equal(undefined)
  })

  it('are those of one port: a browser sends its cookies to all ports of a host', () => {
    const jar = new Map<string, string>()
    const servers = ['localhost:8080', 'localhost:8180', '[::1]:9000', 'shop.example'].map((host) => ({
      sessions: createCookieSessions({ cookie: 'forecourt_shop', path: '/shop' }),
      browser: createBrowser(host, jar),
      host,
    }))
    for (const { sessions, browser, host } of servers) sessions.open(browser, tokens(host))
    for (const { sessions, browser, host } of servers) expect(sessions.find(browser)).to.deep.equal(tokens(host))
    expect([...jar.keys()]).to.deep.equal([
      'forecourt_shop_8080',
      'forecourt_shop_8180',
      'forecourt_shop_9000',
      'forecourt_shop',
    ])
  })
})
