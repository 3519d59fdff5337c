import { html, render } from 'lit-html'
import { callAccount, rememberSignIn, signIn } from './api-and-account.ts'
import { mergeGuestCart } from './cart.ts'
import { open, type PageRequest } from './navigation.ts'
import { action, form } from './notices.ts'

/** Shoppers of the sandbox, each with an account that behaves differently. */
const demoShoppers = [
  ['parts@mobay-garage.example', 'Mobay Garage', 'buys on credit, with orders and invoices'],
  ['fleet@bluemountain-fleet.example', 'Blue Mountain Fleet', 'has contract prices'],
  ['desk@negril-hire.example', 'Negril Hire', 'has 50.00 of credit left'],
  ['office@blackriver-tractors.example', 'Black River Tractors', 'orders, but accounting is slow'],
  ['account9@shopper.example', 'A private customer', 'pays cash'],
] as const
const DEMO_PASSWORD = 'sandbox-shopper-1'

async function goOn(query: URLSearchParams): Promise<void> {
  const kept = await mergeGuestCart()
  dispatchEvent(new Event('shop:cart'))
  open(query.get('then') === 'cart' || kept.length > 0 ? '/shop/cart' : '/shop')
}

export async function showSignIn({ query }: PageRequest) {
  const enter = async (email = '', password = '') => {
    await signIn(email, password)
    await goOn(query)
  }
  const fields = html`
    <label class="field">Email <input type="email" name="email" id="email" required autocomplete="username"></label>
    <label class="field">
      Password <input type="password" name="password" id="password" required autocomplete="current-password">
    </label>
    <button class="primary">Sign in</button>`
  const rows = demoShoppers.map(
    ([email, name, what]) => html`
    <li>${action(name, () => enter(email, DEMO_PASSWORD), 'quiet')} ${what}</li>`,
  )
  return html`
    <div class="two">
      <section>
        <h1>Sign in</h1>
        ${form(({ email, password }) => enter(email, password), fields, 'narrow')}
        <p>New here? <a href="/shop/register">Create an account</a></p>
      </section>
      <section class="sheet">
        <h2>Shoppers of the demo</h2>
        <p class="soft">One click signs you in.</p>
        <ul class="plain">${rows}</ul>
      </section>
    </div>`
}

export async function showRegistration({ query }: PageRequest) {
  const page = document.createElement('section')
  const register = async ({ email = '', first_name = '', last_name = '', password = '' }) => {
    const { status } = await callAccount('registerShopper', { body: { email, first_name, last_name, password } })
    if (status === 'VERIFICATION_SENT') return render(checkEmail(email), page)
    await rememberSignIn()
    await goOn(query)
  }
  const fields = html`
    <label class="field">Email <input type="email" name="email" id="email" required autocomplete="email"></label>
    <label class="field">First name <input name="first_name" id="first_name" required autocomplete="given-name"></label>
    <label class="field">Last name <input name="last_name" id="last_name" required autocomplete="family-name"></label>
    ${newPassword}
    <button class="primary">Create account</button>`
  render(html`<h1>Create an account</h1>${form(register, fields, 'narrow')}`, page)
  return page
}

const checkEmail = (email: string) => html`
  <h1>Check your email</h1>
  <p>We have sent a link to ${email}. It completes your account.</p>
  <p class="notice">The demo sends no email: the link is in its log, data/forecourt.log.</p>`

/** The page that the mail leads to. Only here is it certain that the password is the owner’s. */
export async function showConfirmation({ query }: PageRequest) {
  const confirm = async ({ password = '' }) => {
    await callAccount('verifyShopper', { body: { token: query.get('token') ?? '', password } })
    await rememberSignIn()
    await goOn(query)
  }
  const fields = html`${newPassword}<button class="primary">Continue</button>`
  return html`<h1>Choose your password</h1>${form(confirm, fields, 'narrow')}`
}

const newPassword = html`
  <label class="field">
    Password, at least 8 characters
    <input type="password" name="password" id="password" required minlength="8" autocomplete="new-password">
  </label>`
