import type { ExampleCaller } from './example-caller.ts'
import type { RunningDemo } from './running-demo.ts'

const PASSWORD = 'sandbox-shopper-1'
/** A customer of the accounting system without an account in the shop. */
const UNCLAIMED = 'orders@hwt-motors.example'

/** Registers a shopper, signs in, and changes the password, with a secret key. */
export async function callShopperAccounts({ call }: ExampleCaller, demo: RunningDemo): Promise<void> {
  const email = 'ann@clarke-garage.example'
  const names = { first_name: 'Ann', last_name: 'Clarke' }
  await call('registerShopper', { request: { email: UNCLAIMED, password: PASSWORD, ...names }, as: 'secret' })
  const verification = await demo.readMailedCode(UNCLAIMED, /confirm/i)
  await call('verifyShopper', { request: { token: verification, password: PASSWORD }, as: 'secret' })
  await call('registerShopper', {
    request: { email, password: PASSWORD, ...names, phone: '876-555-0142' },
    as: 'secret',
  })
  await call('askForPasswordReset', { request: { email }, as: 'secret' })
  const reset = await demo.readMailedCode(email, /password/i)
  await call('confirmPasswordReset', { request: { token: reset, password: PASSWORD }, as: 'secret' })
  const session = await call('logInShopper', { request: { email, password: PASSWORD }, as: 'secret' })
  const { refresh_token } = await call('refreshShopper', {
    request: { refresh_token: session.refresh_token },
    as: 'secret',
  })
  await call('logOutShopper', { request: { refresh_token }, as: 'secret' })
}

/** Signs the shopper in who has plenty of credit, and orders and invoices in every status. */
export async function signIn({ call }: ExampleCaller): Promise<string> {
  const request = { email: 'parts@mobay-garage.example', password: PASSWORD }
  const { shopper_token } = await call('logInShopper', { request, as: 'secret' })
  return shopper_token
}
