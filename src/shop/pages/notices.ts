import { ForecourtError, type SectionError, type SectionField } from '../../client/browser.ts'
import { type Attributes, type Child, el } from './dom.ts'
import { formatClock } from './format.ts'
import { reload } from './navigation.ts'

const sectionNames: Partial<Record<SectionField, string>> = {
  alternatives: 'Alternatives',
  availability: 'Stock',
  credit: 'Your credit',
  customer: 'Your account',
  facets: 'Filters',
  fitment: 'The vehicle list',
  invoices: 'Invoices',
  media: 'Pictures',
  order: 'The order',
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
  maintenance: 'A part of the shop is under maintenance. Please come back later.',
  rate_limited: 'Too many attempts. Try again in a moment.',
  document_not_available: 'There is no PDF of this invoice yet.',
  line_unavailable: 'Something in your cart cannot be sold now. Your cart shows which.',
  price_changed: 'The total has risen since you saw it. Nothing was ordered: look at your cart again.',
  unknown_sku: 'There is no product with this number.',
  account_on_hold: 'Your account is on hold, and nothing was ordered. Please call us.',
}

export function describeError(error: unknown): string {
  if (!(error instanceof ForecourtError)) return error instanceof Error ? error.message : String(error)
  if (error.mistakes.length > 0) return describeMistakes(error.mistakes)
  return errorTexts[error.code] ?? error.detail
}

/** Names the field of each mistake as the page does. */
export const describeMistakes = (mistakes: ForecourtError['mistakes']): string =>
  mistakes
    .map(({ type, loc, msg }) => {
      const name = String(loc.findLast((part) => typeof part === 'string' && part !== 'body') ?? '')
      const label = document.getElementById(name)?.closest('label')?.firstChild?.textContent ?? formatField(name)
      return errorTexts[type] ?? `${name && `${label}: `}${msg.replace(/\.$/, '')}.`
    })
    .join(' ')

/** Says which parts of a page are missing or old. The rest of the page stands. No page shows the tax of a product. */
export function sectionNotices(all: readonly SectionError[]): Child {
  const errors = all.filter(({ field }) => field !== 'tax')
  if (errors.length === 0) return null
  const sentences = errors.map(({ field, code, stale, as_of }) => {
    const section = sectionNames[field] ?? formatField(field)
    if (stale) return `${section}: last read ${as_of ? `at ${formatClock(as_of)}` : 'earlier'}, and may be out of date.`
    return code === 'partial_result' ? `${section}: not complete right now.` : `${section} could not be read right now.`
  })
  return notice([...new Set(sentences)].join(' '))
}

export const notice = (text: string) =>
  el(
    'div',
    { class: 'notice' },
    el('p', {}, text),
    el('button', { type: 'button', class: 'quiet', click: reload }, 'Try again'),
  )

const formatField = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`

/** A form that shows why its action failed, and is busy while it runs. */
export function form(
  attributes: Attributes,
  submit: (data: FormData) => unknown,
  ...children: Child[]
): HTMLFormElement {
  const problem = el('p', { class: 'problem', role: 'alert' })
  const element = el(
    'form',
    {
      ...attributes,
      async submit(event) {
        event.preventDefault()
        problem.replaceChildren()
        element.classList.add('busy')
        try {
          await submit(new FormData(element))
        } catch (error) {
          problem.replaceChildren(describeError(error))
        }
        element.classList.remove('busy')
      },
    },
    children,
    problem,
  )
  return element
}

/** A button whose action may fail. */
export const action = (label: Child, run: () => unknown, attributes: Attributes = {}) =>
  form({ class: 'action' }, run, el('button', attributes, label))
