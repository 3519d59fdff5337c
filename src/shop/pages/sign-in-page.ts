import { html } from 'lit-html'
import { signIn } from './api-and-account.ts'
import { open, type PageRequest } from './navigation.ts'
import { action, form } from './notices-and-forms.ts'

/** Shoppers of the sandbox, each with an account that behaves differently. */
const demoShoppers = [
  ['parts@mobay-garage.example', 'Mobay Garage', 'buys on credit, with orders and invoices'],
  ['fleet@bluemountain-fleet.example', 'Blue Mountain Fleet', 'has contract prices'],
  ['desk@negril-hire.example', 'Negril Hire', 'has 50.00 of credit left'],
  ['office@blackriver-tractors.example', 'Black River Tractors', 'orders, but accounting is slow'],
  ['account9@shopper.example', 'A private customer', 'pays cash'],
] as const
const DEMO_PASSWORD = 'sandbox-shopper-1'

/** `?sku=`: the product that a visitor wanted to buy. */
export async function showSignIn({ query }: PageRequest) {
  const sku = query.get('sku')
  const enter = async (email = '', password = '') => {
    await signIn(email, password)
    open(sku ? `/shop/products/${encodeURIComponent(sku)}` : '/shop')
  }
  const fields = html`
    <label class="field">Email <input type="email" name="email" id="email" required autocomplete="username"></label>
    <label class="field">Password <input type="password" name="password" id="password" required autocomplete="current-password"></label>
    <button class="primary">Sign in</button>`
  const rows = demoShoppers.map(
    ([email, name, what]) => html`<li>${action(name, () => enter(email, DEMO_PASSWORD), 'quiet')} ${what}</li>`,
  )
  return html`
    <div class="two">
      <section><h1>Sign in</h1> ${form(({ email, password }) => enter(email, password), fields, 'narrow')}</section>
      <section class="sheet">
        <h2>Shoppers of the demo</h2> <p class="soft">One click signs you in.</p> <ul class="plain">${rows}</ul>
      </section></div>`
}
