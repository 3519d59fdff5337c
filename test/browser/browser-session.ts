import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { environment } from '../../src/config/config.ts'
import { PASSWORD } from './running-forecourt.ts'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** As long as a crowded machine may need: only what never comes fails. */
const PATIENCE_MS = 300_000

/** Debian's own, wherever it is on the path. */
export function openBrowser(): Promise<Browser> {
  const places = (environment.PATH ?? '').split(delimiter)
  const found = places
    .flatMap((place) => ['chromium', 'chromium-browser'].map((name) => join(place, name)))
    .find(existsSync)
  if (!found) throw new Error('There is no chromium on the PATH: apt-get install chromium')
  return chromium.launch({ executablePath: found, args: ['--no-sandbox'], timeout: PATIENCE_MS })
}

export interface BrowserSession extends AsyncDisposable {
  page: Page
  /** Goes to a path of the operations pages. */
  go(path: string): Promise<void>
  /** What the browser complained of since it was last asked: errors on the console, among them what the policy refused, and errors of scripts. */
  complaints(): string[]
  /** Rules of accessibility that the page breaks, and where. */
  violations(): Promise<string[]>
}

/** Somebody at a browser of their own. */
export async function openBrowserSession(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<BrowserSession> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en-GB', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complained: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complained.push(message.text())
  })
  page.on('pageerror', (error) => complained.push(String(error)))
  return {
    page,
    async go(path) {
      await page.goto(address + path)
    },
    complaints: () => complained.splice(0),
    async violations() {
      // Through the debugger rather than a script element, which the policy of these pages refuses.
      await page.evaluate(axe)
      const { violations } = await page.evaluate<Found>('axe.run()')
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

interface Found {
  violations: { id: string; nodes: { html: string }[] }[]
}

export async function signIn({ page, go }: BrowserSession, name = 'ann', to = '/'): Promise<void> {
  await go(to)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}
