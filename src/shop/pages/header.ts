import { html, nothing, render } from 'lit-html'
import type { SuggestionList } from '../../client/browser.ts'
import { account, findOpenCart, forecourt, forgetAccount, shopper } from './api-and-account.ts'
import { countOf, formatShopper } from './formats.ts'
import { open } from './navigation.ts'
import { action, announce } from './notices-and-forms.ts'
import { productPath } from './product-parts.ts'

const PAUSE_MS = 120
type Suggestion = readonly [label: string, kind: string, path: string]
const listPath = (name: string, value: string) => `/shop?${new URLSearchParams({ [name]: value })}`

const toSuggestions = ({ products, categories, brands }: SuggestionList): Suggestion[] => [
  ...categories.slice(0, 3).map(({ name, slug }) => [name, 'Category', listPath('category', slug)] as const),
  ...brands.slice(0, 2).map(({ value }) => [value, 'Brand', listPath('brand', value)] as const),
  ...products.map(({ name, sku }) => [name, sku, productPath(sku)] as const),
]

/** The search with suggestions: a combobox, as the ARIA Authoring Practices describe it. Returns what shows the text of another address. */
export function showSearchBox(form: HTMLFormElement): () => void {
  let shown: Suggestion[] = []
  let chosen = -1
  let call = new AbortController()
  const readQuery = () => String(new FormData(form).get('q')).trim()

  function show(suggestions: Suggestion[], index = -1): void {
    shown = suggestions
    chosen = index
    const content = html`
      <input type="search" name="q" id="q" maxlength="256" placeholder="Search parts, brands, numbers" autocomplete="off"
        .value=${new URLSearchParams(location.search).get('q') ?? ''}
        role="combobox" aria-label="Search" aria-controls="suggestions" aria-autocomplete="list"
        aria-expanded=${shown.length > 0} aria-activedescendant=${chosen < 0 ? nothing : `suggestion-${chosen}`}
        @input=${suggest} @blur=${close} @keydown=${press}>
      <ul id="suggestions" role="listbox" aria-label="Suggestions" ?hidden=${shown.length === 0}>
        ${shown.map(toOption)}
      </ul>`
    render(content, form)
  }

  const toOption = ([label, kind]: Suggestion, index: number) => html`
    <li id="suggestion-${index}" role="option" aria-selected=${index === chosen} @mousedown=${() => go(index)}>
      ${label} <small>${kind}</small></li>`

  function go(index: number): void {
    const path = shown[index]?.[2] ?? listPath('q', readQuery())
    close()
    open(path)
  }

  function close(): void {
    call.abort()
    show([])
  }

  /** Only the newest call counts, after a pause of the typing. Suggestions are help, so a failure leaves none. */
  async function suggest(): Promise<void> {
    call.abort()
    call = new AbortController()
    const { signal } = call
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const q = readQuery()
    const found = q ? await forecourt.suggest({ q, limit: 6 }, { signal, maxRetries: 0 }).catch(() => null) : null
    if (signal.aborted) return
    show(found ? toSuggestions(found) : [])
    if (shown.length > 0) announce(countOf(shown.length, 'suggestion'))
  }

  /** Before the first suggestion and behind the last one, none is chosen. */
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const count = shown.length + 1
    if (step && shown.length > 0) show(shown, ((chosen + 1 + step + count) % count) - 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    go(chosen)
  })
  close()
  return close
}

/** Shows who is signed in, and the size of the cart. */
export async function showAccountLinks(): Promise<void> {
  const cart = await findOpenCart().catch(() => null)
  const { me, isSignedIn } = account
  // The name comes from accounting, which may be slow.
  for (const shown of [null, me]) {
    const shopperLinks = html`<a href="/shop/account">${formatShopper(await shown)}</a> ${action('Sign out', leave, 'quiet')}`
    if (account.me !== me) return
    const links = html`
      ${isSignedIn ? shopperLinks : html`<a href="/shop/sign-in">Sign in</a>`}
      <a href="/shop/cart">Cart ${cart === null ? nothing : html`<b class="count">${cart?.item_count ?? 0}</b>`}</a>`
    render(links, document.querySelector<HTMLElement>('#account')!)
  }
}

async function leave(): Promise<void> {
  await shopper.logOutShopper()
  forgetAccount()
  open('/shop')
}
