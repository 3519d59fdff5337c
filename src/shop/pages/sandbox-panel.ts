import { html, nothing, render } from 'lit-html'
import { reload, storedInTab } from './navigation.ts'

/** A call of the API, as the panel shows it. The operations pages have a record of some failed calls. */
type ObservedCall = { name: string; outcome: string; isGood: boolean; recordId: string | null }

const FAULTS = 'shop-faults'
const MAX_CALLS = 8
const STATUSES_WITHOUT_RECORD = [404, 405, 412, 422]
/** Each with its effect, and a page that shows it: not every page needs every system. */
const faults = [
  ['pricing=timeout', 'Hang pricing', 'Products have no prices. A cart keeps its lines, but has no totals.', '/shop'],
  ['accounting=timeout', 'Hang accounting', 'No orders, invoices, credit or totals. No checkout.', '/shop/account'],
  ['inventory=unavailable', 'Kill inventory', 'Neither inventory nor its mirror can be read. Pages say so.', '/shop'],
] as const
const calls: ObservedCall[] = []
const readFaults = (): string[] => storedInTab[FAULTS]?.split(',').filter(Boolean) ?? []

/** Sends a request with the simulated faults, and records it. Without the panel, a shop has no need of it. */
export const observedFetch: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers)
  if (storedInTab[FAULTS]) headers.set('x-sandbox-fault', storedInTab[FAULTS])
  const startedAt = performance.now()
  const response = await fetch(input, { ...init, headers })
  const { pathname } = new URL(String(input), location.href)
  const name = `${init.method ?? 'GET'} ${pathname.replace('/shop/account/', '')}`
  const { status, headers: received } = response
  const isComplete = received.get('forecourt-complete') !== 'false'
  const isGood = status < 400 && isComplete
  const ms = Math.round(performance.now() - startedAt)
  const outcome = `${status < 400 ? '' : 'failed, '}${status}${isComplete ? '' : ', incomplete'}, ${ms} ms`
  const recordId = isGood || STATUSES_WITHOUT_RECORD.includes(status) ? null : received.get('x-request-id')
  calls.unshift({ name, outcome, isGood, recordId })
  calls.splice(MAX_CALLS)
  dispatchEvent(new Event('shop:call'))
  return response
}

/** “Break something”: the header X-Sandbox-Fault on this browser’s own calls, what they then return, and where support sees them. */
export function showSandboxPanel(element: HTMLElement, operationsAddress: string): void {
  const update = () => render(panel(readFaults(), operationsAddress), element)
  addEventListener('shop:call', update)
  update()
}

function toggle(fault: string, broken: readonly string[]): void {
  const next = broken.includes(fault) ? broken.filter((one) => one !== fault) : [...broken, fault]
  storedInTab[FAULTS] = next.join()
  dispatchEvent(new Event('shop:call'))
  reload()
}

function panel(broken: readonly string[], operationsAddress: string) {
  const box = ([fault, label, effect, page]: (typeof faults)[number]) => html`
    <label>
      <input type="checkbox" .checked=${broken.includes(fault)} aria-describedby="${fault}-effect" @change=${() => toggle(fault, broken)}>
      <span>${label}</span></label>
    <p class="soft" id="${fault}-effect">${effect} <a href=${page}>See it</a></p>`
  return html`
    <details class="panel">
      <summary>Break something ${broken.length > 0 ? html`<span class="broken">(${broken.length} broken)</span>` : nothing}</summary>
      <div>
        <fieldset><legend>For the calls of this tab</legend>${faults.map(box)}</fieldset>
        <h2>Last calls</h2>
        ${operationsAddress && html`<p class="soft">Links open failed calls in the operations pages. npm start prints the sign-in.</p>`}
        <ol class="plain calls">${calls.map((call) => callItem(call, operationsAddress))}</ol>
      </div>
    </details>`
}

function callItem({ name, outcome, isGood, recordId }: ObservedCall, operationsAddress: string) {
  const link = html`<a href="${operationsAddress}/request?id=${recordId}" target="_blank" rel="noopener">${name}</a>`
  return html`<li>${operationsAddress && recordId ? link : name} <span class=${isGood ? 'soft' : 'bad'}>${outcome}</span></li>`
}
