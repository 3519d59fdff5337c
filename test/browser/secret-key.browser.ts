import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { startApi } from '../support/api.ts'
import { closeWindows, openBrowser } from './browser-session.ts'

describe('a page with a secret key', function () {
  this.timeout(120_000)
  after(closeWindows)

  it('cannot read the response, and the console says why', async () => {
    await using api = await startApi()
    const key = await api.key({ kind: 'secret' })
    await using pages = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
    await once(pages, 'listening')
    const page = await (await openBrowser()).newPage()
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}`)
    const said = page.waitForEvent('console', (message) => message.text().includes('CORS'))
    const script = `fetch('${api.address}/v1/products?limit=1', { headers: { authorization: 'Bearer ${key}' } }).then(() => 'read', () => 'blocked')`
    expect(await page.evaluate(script)).to.equal('blocked')
    expect((await said).text()).to.include(
      "The 'Access-Control-Allow-Origin' header has a value 'https://secret-key-in-a-page.invalid'",
    )
    await page.close()
  })
})
