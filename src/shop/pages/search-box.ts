import type { SuggestionList } from '../../client/browser.ts'
import { forecourt } from './api-and-account.ts'
import { announce, el } from './dom.ts'
import { open } from './navigation.ts'
import { productPath } from './product-parts.ts'

const PAUSE_MS = 120

interface Suggestion {
  label: string
  kind: string
  path: string
}

const toSuggestions = ({ products, categories, brands }: SuggestionList): Suggestion[] => [
  ...categories
    .slice(0, 3)
    .map(({ name, slug }) => ({ label: name, kind: 'Category', path: `/shop?category=${encodeURIComponent(slug)}` })),
  ...brands
    .slice(0, 2)
    .map(({ value }) => ({ label: value, kind: 'Brand', path: `/shop?brand=${encodeURIComponent(value)}` })),
  ...products.map(({ name, sku }) => ({ label: name, kind: sku, path: productPath(sku) })),
]

/** The search with suggestions: a combobox, as the ARIA Authoring Practices describe it. */
export function searchBox(): HTMLElement {
  const list = el('ul', { id: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions', hidden: true })
  const input = el('input', {
    type: 'search',
    name: 'q',
    id: 'q',
    placeholder: 'Search parts, brands, numbers',
    autocomplete: 'off',
    role: 'combobox',
    'aria-label': 'Search',
    'aria-controls': 'suggestions',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  })
  let shown: Suggestion[] = []
  let chosen = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  let call = new AbortController()

  function show(suggestions: Suggestion[]): void {
    shown = suggestions
    list.hidden = shown.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    list.replaceChildren(
      ...shown.map(({ label, kind }, index) =>
        el(
          'li',
          { id: `suggestion-${index}`, role: 'option', 'aria-selected': 'false', mousedown: () => go(index) },
          label,
          el('small', {}, kind),
        ),
      ),
    )
    choose(-1)
    if (shown.length > 0) announce(`${shown.length} suggestions`)
  }

  function choose(index: number): void {
    chosen = index
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index))
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `suggestion-${index}`)
  }

  function go(index: number): void {
    const path = shown[index]?.path ?? `/shop?q=${encodeURIComponent(input.value.trim())}`
    close()
    open(path, 0)
  }

  function close(): void {
    clearTimeout(timer)
    call.abort()
    show([])
  }

  /** Only the newest call counts: an older one is aborted. Suggestions are help, so a failure leaves none. */
  async function suggest(): Promise<void> {
    call.abort()
    call = new AbortController()
    const { signal } = call
    const q = input.value.trim()
    const found = q ? await forecourt.suggest({ q, limit: 6 }, { signal, maxRetries: 0 }).catch(() => null) : null
    if (!signal.aborted) show(found ? toSuggestions(found) : [])
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(suggest, PAUSE_MS)
  })
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length > 0) choose(((chosen + step + 1 + shown.length + 1) % (shown.length + 1)) - 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  const submit = (event: Event) => {
    event.preventDefault()
    go(chosen)
  }
  return el('form', { role: 'search', class: 'search', submit }, input, list)
}
