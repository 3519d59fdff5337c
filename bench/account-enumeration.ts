import { createPasswordHasher } from '../src/commands/password-hasher.ts'
import { addShopper, generateShopperId } from '../src/storage/shoppers/shopper-accounts.ts'
import { type Api, startApi } from '../test/support/api.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../test/support/shopper-account-calls.ts'
import { print } from './print.ts'
import { formatTable } from './report-table.ts'

const ATTEMPTS = 150
/** Nothing listens there: emails fail, in the background. */
const mail = { url: 'smtp://127.0.0.1:1', from: 'shop@parts.example' }

type Attempt = (email: string, clientAddress: string) => Promise<unknown>

/** Measures how long each call takes for known and for unknown email addresses, alternating so that both run under the same conditions. */
async function main(): Promise<void> {
  await using api = await startApi({ mail })
  const key = await api.key({ kind: 'secret', mode: 'live' })
  const post = shopperAccountCalls(api, key)
  const known = await addAccounts(api)
  const calls: Record<string, Attempt> = {
    register: (email, clientAddress) => post('', registrationOf(email), clientAddress),
    login: (email, clientAddress) => post('/login', { email, password: `not ${PASSWORD}` }, clientAddress),
    'password-reset': (email, clientAddress) => post('/password-reset', { email }, clientAddress),
  }
  const rows: string[][] = []
  for (const [call, attempt] of Object.entries(calls)) {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let i = 0; i < ATTEMPTS; i++) {
      const pair = [
        ['known', known[i]!],
        ['unknown', newEmail()],
      ] as const
      for (const [group, email] of i % 2 ? pair : pair.toReversed())
        times[group].push(await timed(() => attempt(email, clientAddressOf(rows.length, i))))
    }
    for (const group of ['known', 'unknown'] as const)
      rows.push([call, group, ...[0.05, 0.5, 0.95].map((share) => `${quantile(times[group], share).toFixed(2)} ms`)])
  }
  print(
    formatTable({
      title: `Enumeration: ${ATTEMPTS} attempts each`,
      columns: ['call', 'address', 'p5', 'median', 'p95'],
      rows,
    }),
  )
}

/** One account per attempt, so that no limit by email address is reached. */
async function addAccounts({ db }: Api): Promise<string[]> {
  const emails = Array.from({ length: ATTEMPTS }, newEmail)
  const password_hash = await createPasswordHasher().hash(PASSWORD)
  for (const email of emails) {
    const shopper = { tenant_id: 'acme', mode: 'live', shopper_id: generateShopperId(), email, password_hash } as const
    await addShopper(db, { ...shopper, customer_id: 'C-1001' }, new Date(), new Date())
  }
  return emails
}

const clientAddressOf = (round: number, i: number) => `198.18.${round}.${i}`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function quantile(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))]!
}

await main()
