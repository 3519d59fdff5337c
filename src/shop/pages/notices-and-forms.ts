import { html, nothing } from 'lit-html'
import { ForecourtError, type SectionError, type SectionField, type ValidationError } from '../../client/browser.ts'
import { formatClock } from './formats.ts'
import { reload } from './navigation.ts'

const sectionNames: Partial<Record<SectionField, string>> = {
  availability: 'Stock',
  facets: 'Filters',
  fitment: 'The vehicle list',
  lines: 'Names and pictures',
  media: 'Pictures',
  price: 'Prices',
  pricing: 'Totals',
  references: 'Other numbers',
}

const errorTexts: Readonly<Record<string, string>> = {
  invalid_credentials: 'The email address or the password is incorrect.',
  network_error: 'The shop cannot be reached. Are you online?',
  downstream_timeout: 'A system of the shop did not respond in time. Try again in a moment.',
  downstream_unavailable: 'A system of the shop cannot be reached. Try again in a moment.',
  circuit_open: 'A system of the shop is recovering. Try again in a moment.',
  catalog_loading: 'The products appear here as soon as they are loaded.',
  maintenance: 'A part of the shop is under maintenance. Please come back later.',
  401: 'You are signed out. Sign in again.',
  idempotency_in_flight: 'This is still in progress. Try again in a moment.',
  rate_limited: 'Too many attempts. Try again in a moment.',
  line_unavailable: 'Something in your cart cannot be sold now. Your cart shows which.',
  price_changed: 'The total has changed since you saw it. Nothing was ordered: look at your cart again.',
  unknown_sku: 'There is no product with this number.',
  account_on_hold: 'Your account is on hold, and nothing was ordered. Please call us.',
}

/** Each follows the name of its field. */
const mistakeTexts: Readonly<Record<string, string>> = {
  decimal_max_places: 'must have at most {decimal_places} decimals',
  less_than_equal: 'must be at most {le}',
  string_too_long: 'must have at most {max_length} characters',
  unit_increment: 'must be a multiple of {increment} {uom}',
  unit_minimum: 'must be at least {min} {uom}',
}

/** The `detail` of a problem is for developers: a shopper reads a sentence of the shop’s own. */
export function describeError(error: unknown): string {
  if (!(error instanceof ForecourtError)) return error instanceof Error ? error.message : String(error)
  const { code, status, mistakes, requestId } = error
  if (mistakes.length > 0) return mistakes.map(describeMistake).join(' ')
  const contact = requestId ? `, or contact us and name request ${requestId}` : ' in a moment'
  return errorTexts[code] ?? errorTexts[status] ?? `That did not work. Try again${contact}.`
}

/** Names the field as the page does. The `msg` of a mistake is for developers, too. */
function describeMistake({ type, loc, ctx = {} }: ValidationError): string {
  const name = String(loc.findLast((part) => typeof part === 'string' && part !== 'body') ?? '')
  const label = document.getElementById(name)?.closest('label')?.textContent.trim() ?? formatField(name)
  const text = mistakeTexts[type]?.replace(/{(\w+)}/g, (_, part) => String(ctx[part]))
  return errorTexts[type] ?? `${label || 'This'} ${text ?? 'is not valid'}.`
}

/** Says which parts of a page are missing or old. The rest of the page stands. No page shows the tax of a product. */
export function sectionNotices(errors: readonly SectionError[]) {
  const shown = errors.filter(({ field }) => field !== 'tax')
  const sentences = shown.map(({ field, code, stale, as_of }) => {
    const section = sectionNames[field] ?? formatField(field)
    if (stale) return `${section}: last read ${as_of ? `at ${formatClock(as_of)}` : 'earlier'}, and may be out of date.`
    if (code === 'catalog_loading') return 'The catalog is being loaded: more may match.'
    return code === 'partial_result' ? `${section}: not complete right now.` : `${section} could not be read right now.`
  })
  return shown.length > 0 ? notice([...new Set(sentences)].join(' ')) : nothing
}

export const notice = (text: string) => html`
  <div class="notice"><p>${text}</p><button type="button" class="quiet" @click=${reload}>Try again</button></div>`

const formatField = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`

/** Tells screen readers what has changed. */
export const announce = (text: string) => document.querySelector('#announcement')?.replaceChildren(text)
const announced = () => document.querySelector('#announcement')?.textContent
/** Tells them of a wait over a second, unless something is told first. */
export const announceWait = (before = announced()) =>
  setTimeout(() => announced() === before && announce('Please wait'), 1_000)
type Submit = (values: Record<string, string>, form: HTMLFormElement) => unknown
function clearProblems(): void {
  for (const problem of document.querySelectorAll('form > .problem')) problem.replaceChildren()
}

/** A form that shows why its action failed, until something else is done, and is busy while it runs. `repeats`: each click counts. */
export const form = (submit: Submit, content: unknown, className = '', repeats = false) => html`
  <form class=${className} @submit=${(event: SubmitEvent) => send(event, submit, repeats)} @input=${clearProblems}>
    ${content}
    <p class="problem" role="alert"></p>
  </form>`

const DOUBLE_CLICK_MS = 300
/** The last action of each form. */
const sent = new WeakMap<HTMLFormElement, { label: string; mayRepeat: boolean }>()
let last: Promise<unknown> = Promise.resolve()

/** Actions run one after another, in all tabs: of several changes, the last counts, and two tabs fill one cart. A double click has the same label. */
function send(event: SubmitEvent, submit: Submit, repeats: boolean): void {
  event.preventDefault()
  const element = event.currentTarget as HTMLFormElement
  const values = Object.fromEntries(new FormData(element)) as Record<string, string>
  const show = (problem = '') => element.querySelector('.problem')?.replaceChildren(problem)
  const label = JSON.stringify([element.querySelector('button')?.ariaLabel, values])
  const before = sent.get(element)
  if (before?.label === label && !before.mayRepeat) return
  const action = { label, mayRepeat: false }
  const allow = () => Object.assign(action, { mayRepeat: true })
  sent.set(element, action)
  if (repeats) setTimeout(allow, DOUBLE_CLICK_MS)
  clearProblems()
  element.classList.add('busy')
  const wait = announceWait()
  const run = () => submit(values, element)
  last = last
    // Browsers have locks only with https, and on localhost.
    .then(() => navigator.locks?.request('shop', run) ?? run())
    .then(() => show())
    .then(() => setTimeout(allow, DOUBLE_CLICK_MS))
    .catch((error) => {
      allow()
      show(describeError(error))
    })
    .then(() => clearTimeout(wait))
    .then(() => sent.get(element) === action && element.classList.remove('busy'))
}

/** A button whose action may fail. */
export const action = (label: string, run: () => unknown, className = '', fullLabel?: string) =>
  form(run, html`<button class=${className} aria-label=${fullLabel ?? nothing}>${label}</button>`)
