import { expect } from 'chai'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import { createMerchantDirectory } from '../../src/console/merchant-directory.ts'
import { parseTimeZone } from '../../src/console/operator-time-zone.ts'
import { createAuditLogPages } from '../../src/console/pages/audit-log-pages.ts'
import { createTimeZonePages } from '../../src/console/pages/time-zone-page.ts'
import { stores } from '../support/stores.ts'
import { type OperatorBrowser, startTestConsole, type TestConsole } from './test-console.ts'

const merchants = [
  { merchant: 'acme', name: 'Acme', timeZone: 'America/Jamaica', currency: 'JMD' },
  { merchant: 'zenith', name: 'Zenith', timeZone: 'Europe/Berlin', currency: 'EUR' },
] as MerchantConfig[]

describe('the time zone of an operator', () => {
  let testConsole: TestConsole
  const store = stores()[0]!
  let browser: OperatorBrowser

  before(async () => {
    testConsole = await startTestConsole(await store.open(), ({ db, now }) => [
      ...createAuditLogPages({ db, merchants: createMerchantDirectory(merchants, now), now }),
      ...createTimeZonePages(),
    ])
    browser = await testConsole.signInAs('eve', 'support')
  })
  after(async () => {
    await testConsole[Symbol.asyncDispose]()
    await store.close()
  })

  const getAudit = async (cookie: string, query = '') =>
    (await testConsole.get({ ...browser, cookie: `${browser.cookie}; ${cookie}` }, `/audit${query}`)).text
  const readZone = (html: string) => /Times are in (.*?)\. <a/.exec(html)?.[1]?.replace(/<[^>]+>/g, '')

  it('is the one of the browser, and every page names it', async () => {
    const html = await getAudit('forecourt_browser_time_zone=Asia/Tokyo')
    expect(readZone(html)).to.equal('Asia/Tokyo, the time zone of your browser')
    expect(html).to.include('23:05:00 GMT+9').and.include('From <small>(Asia/Tokyo)</small>')
  })

  it('is the one of the merchant without scripts, and of no merchant if their zones differ', async () => {
    for (const cookie of ['', 'forecourt_browser_time_zone=Mars/Base', 'forecourt_browser_time_zone=%3Cb%3E']) {
      const html = await getAudit(cookie)
      expect(readZone(html), cookie).to.equal('the time zone of the merchant')
      expect(html).to.include('14:05:00 UTC')
    }
  })

  it('can be chosen, also as the one of the merchant, and forgotten', async () => {
    const choose = async (zone: string) => {
      const { status, headers } = await testConsole.submit(browser, '/time-zone', { zone, to: '/audit?action=x' })
      expect([status, headers.location]).to.deep.equal([303, '/audit?action=x'])
      return headers['set-cookie']!.find((cookie) => cookie.startsWith('forecourt_time_zone='))!
    }
    const browserZone = 'forecourt_browser_time_zone=Asia/Tokyo'
    const chosen = await choose('europe/BERLIN')
    expect(chosen).to.equal('forecourt_time_zone=Europe/Berlin; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000')
    expect(readZone(await getAudit(`${browserZone}; ${chosen.split(';')[0]}`))).to.equal('Europe/Berlin')
    const ofMerchant = (await choose('merchant')).split(';')[0]
    expect(readZone(await getAudit(`${browserZone}; ${ofMerchant}`))).to.equal('the time zone of the merchant')
    expect(await choose('')).to.match(/^forecourt_time_zone=; .*Max-Age=0$/)
    const { text } = await testConsole.get(
      { ...browser, cookie: `${browser.cookie}; ${ofMerchant}` },
      '/time-zone?to=//x',
    )
    expect(text).to.include('<option value="merchant" selected>').and.include('name="to" value="/"')
  })

  it('stays as it is when the choice is no time zone', async () => {
    const withZone = { ...browser, cookie: `${browser.cookie}; forecourt_time_zone=Asia/Calcutta` }
    const form = { zone: 'Nonsense/Zone', to: '/audit' }
    const { status, headers, text } = await testConsole.submit(withZone, '/time-zone', form)
    expect([status, String(headers['set-cookie'] ?? '')]).to.match(/^422,(?!.*forecourt_time_zone)/)
    expect(text)
      .to.include('There is no time zone <code>Nonsense/Zone</code>.')
      .and.include('name="to" value="/audit"')
      .and.include('<optgroup label="Asia">')
      .and.include('<option value="Asia/Kolkata" selected>Kolkata</option>')
      .and.include('<option value="America/Argentina/Buenos_Aires">Buenos Aires, Argentina</option>')
      .and.not.include('Calcutta')
    expect(readZone(text)).to.equal('Asia/Kolkata')
  })

  it('reads the times of a link in the zone of whoever made it', async () => {
    const html = await getAudit('forecourt_time_zone=America/Jamaica', '?from=2026-11-21T15:00&zone=Europe/Berlin')
    expect(html).to.include('name="from" value="2026-11-21 09:00"')
    expect(html).to.include('/audit/export.csv?from=2026-11-21T09%3A00&amp;zone=America%2FJamaica')
  })

  it('has a name in its usual spelling only', () => {
    for (const name of ['+01:00', 'x'.repeat(80), 'Europe/Nowhere', '', null, '__proto__'])
      expect(parseTimeZone(name), String(name)).to.equal(null)
    expect(['utc', 'europe/berlin', 'Etc/GMT+1', 'Asia/Calcutta'].map(parseTimeZone)).to.deep.equal([
      'UTC',
      'Europe/Berlin',
      'Etc/GMT+1',
      'Asia/Kolkata',
    ])
  })

  it('is one for a list of several merchants', () => {
    const directory = createMerchantDirectory(merchants, () => 0)
    const { inOneTimeZone } = directory
    const zonesOf = ({ timeZone }: typeof directory) => ['acme', 'zenith', null].map(timeZone)
    expect(zonesOf(directory)).to.deep.equal(['America/Jamaica', 'Europe/Berlin', 'UTC'])
    expect(zonesOf(inOneTimeZone)).to.deep.equal(['UTC', 'UTC', 'UTC'])
    const one = createMerchantDirectory(merchants.slice(0, 1), () => 0).inOneTimeZone
    expect(zonesOf(one)[0]).to.equal('America/Jamaica')
  })
})
