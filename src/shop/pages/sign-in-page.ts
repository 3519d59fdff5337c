import { callAccount, rememberSignIn, signIn } from './api-and-account.ts'
import { mergeGuestCart } from './cart.ts'
import { type Child, el, field, link } from './dom.ts'
import { open, type PageRequest } from './navigation.ts'
import { form } from './notices.ts'

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

export async function showSignIn({ query }: PageRequest): Promise<Child> {
  const email = field('Email', 'email', { type: 'email', required: true, autocomplete: 'username' })
  const password = field('Password', 'password', { type: 'password', required: true, autocomplete: 'current-password' })
  const signInForm = form(
    { class: 'narrow' },
    async (data) => {
      await signIn(String(data.get('email')), String(data.get('password')))
      await goOn(query)
    },
    email,
    password,
    el('button', { class: 'primary' }, 'Sign in'),
  )
  const fill = (address: string) => {
    email.querySelector('input')!.value = address
    password.querySelector('input')!.value = DEMO_PASSWORD
    signInForm.requestSubmit()
  }
  const rows = demoShoppers.map(([address, name, what]) =>
    el('li', {}, el('button', { type: 'button', class: 'quiet', click: () => fill(address) }, name), ` ${what}`),
  )
  return el(
    'div',
    { class: 'two' },
    el(
      'section',
      {},
      el('h1', {}, 'Sign in'),
      signInForm,
      el('p', {}, 'New here? ', link('/shop/register', 'Create an account')),
    ),
    el(
      'section',
      { class: 'sheet' },
      el('h2', {}, 'Shoppers of the demo'),
      el('p', { class: 'soft' }, 'One click signs you in.'),
      el('ul', { class: 'plain' }, rows),
    ),
  )
}

export async function showRegistration({ query }: PageRequest): Promise<Child> {
  const page = el('section', { class: 'narrow' })
  const register = async (data: FormData) => {
    const [email = '', first_name = '', last_name = '', password = ''] = [
      'email',
      'first_name',
      'last_name',
      'password',
    ].map((name) => String(data.get(name)))
    const result = await callAccount('registerShopper', { body: { email, first_name, last_name, password } })
    if (result.status === 'VERIFICATION_SENT') {
      page.replaceChildren(
        el('h1', {}, 'Check your email'),
        el('p', {}, `We have sent a link to ${email}. It completes your account.`),
        el('p', { class: 'notice' }, 'The demo sends no email: the link is in its log, data/forecourt.log.'),
      )
      return
    }
    await rememberSignIn()
    await goOn(query)
  }
  page.replaceChildren(
    el('h1', {}, 'Create an account'),
    form(
      {},
      register,
      field('Email', 'email', { type: 'email', required: true, autocomplete: 'email' }),
      field('First name', 'first_name', { required: true, autocomplete: 'given-name' }),
      field('Last name', 'last_name', { required: true, autocomplete: 'family-name' }),
      newPassword(),
      el('button', { class: 'primary' }, 'Create account'),
    ),
  )
  return page
}

/** The page that the mail leads to. Only here is it certain that the password is the owner’s. */
export async function showConfirmation({ query }: PageRequest): Promise<Child> {
  const confirm = async (data: FormData) => {
    await callAccount('verifyShopper', {
      body: { token: query.get('token') ?? '', password: String(data.get('password')) },
    })
    await rememberSignIn()
    await goOn(query)
  }
  return el(
    'section',
    { class: 'narrow' },
    el('h1', {}, 'Choose your password'),
    form({}, confirm, newPassword(), el('button', { class: 'primary' }, 'Continue')),
  )
}

const newPassword = () =>
  field('Password, at least 8 characters', 'password', {
    type: 'password',
    required: true,
    minlength: 8,
    autocomplete: 'new-password',
  })
