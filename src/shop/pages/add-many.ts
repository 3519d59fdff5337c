import { addToCart, describeRefused, type GuestLine } from './cart.ts'
import { el } from './dom.ts'
import { reload } from './navigation.ts'
import { form } from './notices.ts'

const SEPARATOR = /[\s,;]+/
/** A part number, and a quantity unless it is 1. */
const LINE = /^[^\s,;]+(?:[\s,;]+0*[1-9]\d*)?$/

/** Many lines in one change of the cart. Those that cannot be added are named and stay in the form; the others are added. */
export function addMany(): HTMLElement {
  const text = el('textarea', { name: 'lines', id: 'lines', rows: 4, placeholder: 'OL-1001 12\nBP-1001 2' })
  const refused = el('ul', { class: 'problem' })
  const add = async () => {
    refused.replaceChildren()
    const kept = await addToCart(parseLines(text.value))
    text.value = kept.map(({ sku, quantity }) => `${sku} ${quantity}`).join('\n')
    refused.replaceChildren(...kept.map((line) => el('li', {}, describeRefused(line))))
    if (kept.length === 0) reload()
  }
  return el(
    'details',
    { class: 'many' },
    el('summary', {}, 'Add many lines at once'),
    form(
      {},
      add,
      el('label', { class: 'field' }, 'A part number and a quantity on each line', text),
      el('button', {}, 'Add all'),
    ),
    refused,
  )
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
