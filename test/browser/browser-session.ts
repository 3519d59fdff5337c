import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { environment } from '../../src/config/environment/process-environment.ts'
import { PASSWORD } from './running-forecourt.ts'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Long enough for a busy machine. */
const TIMEOUT_MS = 300_000

let browser: Promise<Browser> | undefined

/** Opens the chromium that is on the PATH, once for all files of a run. Each test has windows of its own. */
export function openBrowser(): Promise<Browser> {
  browser ??= launchBrowser()
  return browser
}

/** Closes all windows of the browser, which has those of one file at a time. */
export async function closeWindows(): Promise<void> {
  for (const context of (await browser)?.contexts() ?? []) await context.close()
}

// At the top level of a file that mocha loads, this hook runs once per run.
after(async () => (await browser)?.close())

/** Chromium without a window of its own needs about a third less CPU for the same tests. */
const EXECUTABLES = ['chromium-headless-shell', 'chromium', 'chromium-browser']

function launchBrowser(): Promise<Browser> {
  const folders = (environment.PATH ?? '').split(delimiter)
  const found = EXECUTABLES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync)
  if (!found) throw new Error('There is no Chromium on the PATH: apt-get install chromium-headless-shell')
  return chromium.launch({ executablePath: found, args: ['--no-sandbox'], timeout: TIMEOUT_MS })
}

export interface BrowserSession extends AsyncDisposable {
  page: Page
  /** Opens a path of the operations pages. */
  go(path: string): Promise<void>
  /** Returns and clears the console errors and warnings (including policy violations) and script errors. */
  takeConsoleErrors(): string[]
  /** Returns the accessibility rules that the page breaks, with the elements. */
  findViolations(): Promise<string[]>
}

/** Opens a browser window with its own cookies. */
export async function openBrowserSession(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<BrowserSession> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en-GB', ...options })
  context.setDefaultTimeout(TIMEOUT_MS)
  const page = await context.newPage()
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text())
  })
  page.on('pageerror', (error) => consoleErrors.push(String(error)))
  return {
    page,
    async go(path) {
      await page.goto(address + path)
    },
    takeConsoleErrors: () => consoleErrors.splice(0),
    async findViolations() {
      // Evaluated through the DevTools protocol: the policy of these pages forbids script elements.
      await page.evaluate(axe)
      const { violations } = await page.evaluate<AxeResult>('axe.run()')
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[]
}

export async function signIn({ page, go }: BrowserSession, name = 'ann', to = '/'): Promise<void> {
  await go(to)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}
