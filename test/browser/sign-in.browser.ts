import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type BrowserSession, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('signing in, in a browser', () => {
  let shop: RunningForecourt
  let browser: Browser
  let somebody: BrowserSession

  before(async () => {
    shop = await startRunningForecourt()
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await shop?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    somebody = await openBrowserSession(browser, shop.address)
  })
  afterEach(() => somebody[Symbol.asyncDispose]())

  it('leads to the page that was asked for, and out again', async () => {
    const { page, go } = somebody
    await signIn(somebody, 'ann', '/incidents?state=open')
    expect(page.url()).to.equal(`${shop.address}/incidents?state=open`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    await go('/')
    expect(page.url()).to.include('/sign-in')
    expect(somebody.complaints()).to.deep.equal([])
  })

  it('is refused in words that are read out, with a wrong password', async () => {
    const { page, go } = somebody
    await go('/')
    await page.getByLabel('Name').fill('ann')
    await page.getByLabel('Password').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const mistake = page.getByRole('alert')
    await mistake.waitFor()
    expect(await mistake.innerText()).to.not.equal('')
    expect(await page.getByLabel('Name').inputValue()).to.equal('ann')
    expect(await page.getByLabel('Password').inputValue()).to.equal('')
    expect(await somebody.violations()).to.deep.equal([])
  })

  it('gives a cookie that scripts do not see and other sites do not send', async () => {
    await signIn(somebody)
    const [cookie] = (await somebody.page.context().cookies()).filter(({ name }) => name === 'forecourt_operations')
    expect(cookie).to.include({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(await somebody.page.evaluate<string>('document.cookie')).to.not.include('forecourt_operations')
  })

  it('lets support look, and shows it nothing to act with', async () => {
    const { page, go } = somebody
    await signIn(somebody, 'sam')
    await page.getByRole('heading', { name: 'Now' }).waitFor()
    await go('/circuits/acme/live/pricing')
    await page.getByText('Your account reads.').waitFor()
    expect(await page.locator('main form').count()).to.equal(0)
    const answer = await page.goto(`${shop.address}/cache`)
    expect(answer!.status()).to.equal(403)
  })
})
