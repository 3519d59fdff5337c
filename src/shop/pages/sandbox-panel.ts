import { html, nothing, render } from 'lit-html'
import { settings } from './api-and-account.ts'
import { reload } from './navigation.ts'
import { type ObservedCall, observedCalls, readFaults, storeFaults } from './observed-fetch.ts'

/** Each with its effect, and a page that shows it: not every page needs every system. */
const faults = [
  ['pricing=timeout', 'Hang pricing', 'Products have no prices. A cart keeps its lines, but has no totals.', '/shop'],
  [
    'accounting=timeout',
    'Hang accounting',
    'No orders, invoices or credit. A checkout orders nothing.',
    '/shop/account',
  ],
  ['inventory=unavailable', 'Kill inventory', 'Neither inventory nor its mirror can be read. Pages say so.', '/shop'],
] as const

/** “Break something”: the header X-Sandbox-Fault on this browser’s own calls, what they then return, and where support sees them. */
export function showSandboxPanel(element: HTMLElement): void {
  const update = () => render(panel(), element)
  addEventListener('shop:call', update)
  update()

  function panel() {
    const broken = readFaults()
    const toggle = (fault: string) => {
      storeFaults(broken.includes(fault) ? broken.filter((one) => one !== fault) : [...broken, fault])
      update()
      reload()
    }
    const boxes = faults.map(
      ([fault, label, effect, page]) => html`
      <label>
        <input type="checkbox" id=${fault} .checked=${broken.includes(fault)} aria-describedby="${fault}-effect"
          @change=${() => toggle(fault)}>
        <span>${label}</span>
      </label>
      <p class="soft" id="${fault}-effect">${effect} <a href=${page}>See it</a></p>`,
    )
    return html`
      <details class="panel">
        <summary class=${broken.length > 0 ? 'broken' : ''}>
          Break something ${broken.length > 0 ? `(${broken.length} broken)` : nothing}
        </summary>
        <div>
          <fieldset><legend>For the calls of this tab</legend>${boxes}</fieldset>
          <h2>Last calls</h2>
          ${settings.operationsAddress && html`<p class="soft">Each link opens the call in the operations pages. npm start prints their sign-in.</p>`}
          <ol class="plain calls">${observedCalls.map((call) => html`<li>${describeCall(call)}</li>`)}</ol>
        </div>
      </details>`
  }
}

function describeCall({ name, status, requestId, isComplete, ms }: ObservedCall) {
  const outcome = status >= 400 ? `failed, ${status}` : `${status}${isComplete ? '' : ', incomplete'}`
  const { operationsAddress } = settings
  const href = `${operationsAddress}/request?id=${encodeURIComponent(requestId ?? '')}`
  const label = operationsAddress && requestId ? html`<a href=${href} target="_blank" rel="noopener">${name}</a>` : name
  return html`${label} <span class=${status >= 400 || !isComplete ? 'bad' : 'soft'}>${outcome}, ${ms} ms</span>`
}
