import { html, nothing, render } from 'lit-html'
import { addToCart, describeRefused, type GuestLine } from './cart.ts'
import { reload } from './navigation.ts'
import { form } from './notices.ts'

const SEPARATOR = /[\s,;]+/
/** A part number, and a quantity unless it is 1. */
const LINE = /^[^\s,;]+(?:[\s,;]+0*[1-9]\d*)?$/

/** Many lines in one change of the cart. Those that cannot be added are named and stay in the form; the others are added. */
export function addMany() {
  const refused = document.createElement('div')
  const add = async ({ lines = '' }) => {
    render(nothing, refused)
    const kept = await addToCart(parseLines(lines))
    if (kept.length === 0) return reload()
    render(html`<ul class="problem">${kept.map((line) => html`<li>${describeRefused(line)}</li>`)}</ul>`, refused)
    const text = document.querySelector<HTMLTextAreaElement>('#lines')
    if (text) text.value = kept.map(({ sku, quantity }) => `${sku} ${quantity}`).join('\n')
  }
  const content = html`
    <label class="field">
      A part number and a quantity on each line
      <textarea name="lines" id="lines" rows="4" placeholder=${'OL-1001 12\nBP-1001 2'}></textarea>
    </label>
    <button>Add all</button>`
  return html`<details class="many"><summary>Add many lines at once</summary>${form(add, content)}${refused}</details>`
}

function parseLines(text: string): GuestLine[] {
  const rows = text.split('\n').map((row) => row.trim())
  const mistakes = rows.flatMap((row, index) =>
    row === '' || LINE.test(row) ? [] : [`Line ${index + 1}: write a part number and a whole quantity above 0.`],
  )
  if (mistakes.length > 0) throw new Error(mistakes.join(' '))
  return rows.filter(Boolean).map((row) => {
    const [sku = '', quantity = 1] = row.split(SEPARATOR)
    return { sku, quantity: Number(quantity) }
  })
}
