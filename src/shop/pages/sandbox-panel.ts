import { settings } from './api-and-account.ts'
import { type Child, el, link } from './dom.ts'
import { reload } from './navigation.ts'
import { type ObservedCall, observedCalls, readFaults, storeFaults } from './observed-fetch.ts'

/** Each with its effect, and a page that shows it: not every page needs every system. */
const faults = [
  ['pricing=timeout', 'Hang pricing', 'Products have no prices. A cart keeps its lines, but has no totals.', '/shop'],
  [
    'accounting=timeout',
    'Hang accounting',
    'Orders, invoices and credit are missing. A checkout orders nothing.',
    '/shop/account',
  ],
  [
    'references=error',
    'Lose the references',
    'Product pages have no other numbers and no alternatives.',
    '/shop/products/BP-1001',
  ],
  [
    'inventory=unavailable',
    'Kill inventory',
    'Neither inventory nor the mirror of its catalog can be read. Pages say so.',
    '/shop',
  ],
] as const

/** “Break something”: the header X-Sandbox-Fault on this browser’s own calls, what they then return, and where support sees them. */
export function showSandboxPanel(element: Element): void {
  const calls = el('ol', { class: 'plain calls' })
  const boxes = faults.map(([fault, label, effect, page]) => {
    const change = ({ target }: Event) => {
      const isOn = target instanceof HTMLInputElement && target.checked
      storeFaults([...readFaults().filter((one) => one !== fault), ...(isOn ? [fault] : [])])
      count()
      reload()
    }
    const box = el('input', {
      type: 'checkbox',
      id: fault,
      checked: readFaults().includes(fault),
      change,
      'aria-describedby': `${fault}-effect`,
    })
    return el(
      'div',
      {},
      el('label', {}, box, el('span', {}, label)),
      el('p', { class: 'soft', id: `${fault}-effect` }, effect, ' ', link(page, 'See it')),
    )
  })
  const summary = el('summary', {}, 'Break something')
  const count = () => {
    const { length } = readFaults()
    summary.replaceChildren('Break something', length > 0 ? ` (${length} broken)` : '')
    summary.classList.toggle('broken', length > 0)
  }
  const showCalls = () => calls.replaceChildren(...observedCalls.map((call) => el('li', {}, describeCall(call))))
  addEventListener('shop:call', showCalls)
  count()
  element.replaceChildren(
    el(
      'details',
      { class: 'panel' },
      summary,
      el(
        'div',
        {},
        el('fieldset', {}, el('legend', {}, 'For the calls of this tab'), boxes),
        el('h2', {}, 'Last calls'),
        settings.operationsAddress &&
          el(
            'p',
            { class: 'soft' },
            'Each link opens the call in the operations pages. npm start prints their sign-in.',
          ),
        calls,
      ),
    ),
  )
}

function describeCall({ name, status, requestId, isComplete, ms }: ObservedCall): Child {
  const outcome = status >= 400 ? `failed, ${status}` : isComplete ? `${status}` : `${status}, incomplete`
  const { operationsAddress } = settings
  const href = `${operationsAddress}/request?id=${encodeURIComponent(requestId ?? '')}`
  const label = operationsAddress && requestId ? el('a', { href, target: '_blank', rel: 'noopener' }, name) : name
  return [label, el('span', { class: status >= 400 || !isComplete ? 'bad' : 'soft' }, ` ${outcome}, ${ms} ms`)]
}
