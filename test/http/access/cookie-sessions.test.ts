import { expect } from 'chai'
import { createCookieSessions } from '../../../src/http/access/cookie-sessions.ts'

const tokens = (name: string) => ({ shopper_token: name, refresh_token: name })

/** A browser with one cookie. */
function createBrowser() {
  const jar = { value: '' }
  const cookies = { get: () => jar.value, set: (_: string, value: string) => Object.assign(jar, { value }) }
  return { cookies } as unknown as Parameters<ReturnType<typeof createCookieSessions>['open']>[0]
}

describe('sessions in memory', () => {
  it('keep refreshed tokens, but not those of a session that ended during the refresh', () => {
    const sessions = createCookieSessions({ cookie: 'forecourt_shop', path: '/shop' })
    const browser = createBrowser()
    sessions.open(browser, tokens('first'))
    const id = sessions.idOf(browser)
    const other = createBrowser()
    other.cookies.set('forecourt_shop', id)
    sessions.replace(id, tokens('second'))
    expect(sessions.find(other)).to.deep.equal(tokens('second'))
    sessions.replace(id, null)
    sessions.replace(id, tokens('third'))
    expect(sessions.find(other)).to.equal(undefined)
  })
})
