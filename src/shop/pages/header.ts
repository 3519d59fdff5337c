import { account, settings, signOut } from './api-and-account.ts'
import { countCartItems } from './cart.ts'
import { el, link } from './dom.ts'
import { open } from './navigation.ts'
import { action } from './notices.ts'
import { searchBox } from './search-box.ts'

/** The header of all pages. Its search stays while pages change; the rest shows who is signed in and the size of the cart. */
export function showHeader(element: Element): void {
  const nav = el('nav', { 'aria-label': 'Account' })
  element.replaceChildren(el('a', { href: '/shop', class: 'brand' }, settings.name), searchBox(), nav)

  async function update(): Promise<void> {
    const count = await countCartItems()
    const cart = link('/shop/cart', 'Cart ', el('b', { class: 'count' }, count))
    const leave = async () => {
      await signOut()
      open('/shop')
    }
    const { me, isSignedIn } = account
    const links = isSignedIn
      ? [
          link('/shop/account', me?.company ?? me?.first_name ?? 'Your account'),
          action('Sign out', leave, { class: 'quiet' }),
        ]
      : [link('/shop/sign-in', 'Sign in')]
    nav.replaceChildren(...links, cart)
  }
  addEventListener('shop:cart', update)
  update()
}
