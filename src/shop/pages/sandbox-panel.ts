import { html, nothing, render } from 'lit-html'
import { reload } from './navigation.ts'

/** A call of the API, as the panel shows it. Support finds the request by its id. */
type ObservedCall = { name: string; outcome: string; isGood: boolean; ms: number; requestId: string | null }

const FAULTS = 'shop-faults'
const MAX_CALLS = 8
/** Each with its effect, and a page that shows it: not every page needs every system. */
const faults = [
  ['pricing=timeout', 'Hang pricing', 'Products have no prices. A cart keeps its lines, but has no totals.', '/shop'],
  ['accounting=timeout', 'Hang accounting', 'No orders, invoices, credit or totals. No checkout.', '/shop/account'],
  ['inventory=unavailable', 'Kill inventory', 'Neither inventory nor its mirror can be read. Pages say so.', '/shop'],
] as const

const calls: ObservedCall[] = []
const readFaults = (): string[] => sessionStorage.getItem(FAULTS)?.split(',').filter(Boolean) ?? []

/** Sends a request with the simulated faults, and records it. Without the panel, a shop has no need of it. */
export const observedFetch: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers)
  const broken = readFaults()
  if (broken.length > 0) headers.set('x-sandbox-fault', broken.join(', '))
  const startedAt = performance.now()
  const response = await fetch(input, { ...init, headers })
  const ms = Math.round(performance.now() - startedAt)
  const { pathname } = new URL(String(input), location.href)
  const name = `${init.method ?? 'GET'} ${pathname.replace('/shop/account/', '')}`
  const isComplete = response.headers.get('forecourt-complete') !== 'false'
  const isGood = response.status < 400 && isComplete
  const outcome = `${response.status >= 400 ? 'failed, ' : ''}${response.status}${isComplete ? '' : ', incomplete'}`
  // A poll takes the place of the one before it.
  if (calls[0]?.name === name && calls[0].outcome === outcome) calls.shift()
  calls.unshift({ name, outcome, isGood, ms, requestId: response.headers.get('x-request-id') })
  calls.length = Math.min(calls.length, MAX_CALLS)
  dispatchEvent(new Event('shop:call'))
  return response
}

/** “Break something”: the header X-Sandbox-Fault on this browser’s own calls, what they then return, and where support sees them. */
export function showSandboxPanel(element: HTMLElement, operationsAddress: string): void {
  const update = () => render(panel(readFaults()), element)
  addEventListener('shop:call', update)
  update()

  function toggle(fault: string, broken: readonly string[]): void {
    const next = broken.includes(fault) ? broken.filter((one) => one !== fault) : [...broken, fault]
    sessionStorage.setItem(FAULTS, next.join(','))
    update()
    reload()
  }

  function panel(broken: readonly string[]) {
    const boxes = faults.map(
      ([fault, label, effect, page]) => html`
      <label>
        <input type="checkbox" .checked=${broken.includes(fault)} aria-describedby="${fault}-effect"
          @change=${() => toggle(fault, broken)}>
        <span>${label}</span>
      </label>
      <p class="soft" id="${fault}-effect">${effect} <a href=${page}>See it</a></p>`,
    )
    const count = broken.length > 0 ? html`<span class="broken">(${broken.length} broken)</span>` : nothing
    return html`
      <details class="panel">
        <summary>Break something ${count}</summary>
        <div>
          <fieldset><legend>For the calls of this tab</legend>${boxes}</fieldset>
          <h2>Last calls</h2>
          ${operationsAddress && html`<p class="soft">Each link opens the call in the operations pages. npm start prints their sign-in.</p>`}
          <ol class="plain calls">${calls.map(callItem)}</ol>
        </div>
      </details>`
  }

  function callItem({ name, outcome, isGood, ms, requestId }: ObservedCall) {
    const href = `${operationsAddress}/request?id=${encodeURIComponent(requestId ?? '')}`
    const link = html`<a href=${href} target="_blank" rel="noopener">${name}</a>`
    const label = operationsAddress && requestId ? link : name
    return html`<li>${label} <span class=${isGood ? 'soft' : 'bad'}>${outcome}, ${ms} ms</span></li>`
  }
}
