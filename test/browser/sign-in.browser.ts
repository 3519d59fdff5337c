import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { type BrowserSession, closeWindows, openBrowser, openBrowserSession, signIn } from './browser-session.ts'
import { type RunningForecourt, startRunningForecourt } from './running-forecourt.ts'

describe('the sign-in in a browser', () => {
  let running: RunningForecourt
  let browser: Browser
  let session: BrowserSession

  before(async () => {
    running = await startRunningForecourt()
    browser = await openBrowser()
  })
  after(async () => {
    await closeWindows()
    await running?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    session = await openBrowserSession(browser, running.address)
  })
  afterEach(() => session[Symbol.asyncDispose]())

  it('leads to the requested page, and sign-out leads back', async () => {
    const { page, go } = session
    await signIn(session, 'ann', '/incidents?state=open')
    expect(page.url()).to.equal(`${running.address}/incidents?state=open`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    await go('/')
    expect(page.url()).to.include('/sign-in')
    expect(session.takeConsoleErrors()).to.deep.equal([])
  })

  it('shows an alert for a wrong password', async () => {
    const { page, go } = session
    await go('/')
    await page.getByLabel('Name').fill('ann')
    await page.getByLabel('Password').fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).to.not.equal('')
    expect(await page.getByLabel('Name').inputValue()).to.equal('ann')
    expect(await page.getByLabel('Password').inputValue()).to.equal('')
    expect(await session.findViolations()).to.deep.equal([])
  })

  it('sets a cookie that scripts cannot read and other sites do not send', async () => {
    await signIn(session)
    const [cookie] = (await session.page.context().cookies()).filter(({ name }) => name === 'forecourt_operations')
    expect(cookie).to.include({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(await session.page.evaluate<string>('document.cookie')).to.not.include('forecourt_operations')
  })

  it('shows support no actions', async () => {
    const { page, go } = session
    await signIn(session, 'sam')
    await page.getByRole('heading', { name: 'Now' }).waitFor()
    await go('/circuits/acme/live/pricing')
    await page.getByText('Your account is read-only.').waitFor()
    expect(await page.locator('main form').count()).to.equal(0)
    const response = await page.goto(`${running.address}/cache`)
    expect(response!.status()).to.equal(403)
  })
})
