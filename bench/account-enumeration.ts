import { createPasswordHasher } from '../src/commands/password-hasher.ts'
import { addShopper, generateShopperId } from '../src/storage/shoppers/shopper-accounts.ts'
import { type Api, startApi } from '../test/support/api.ts'
import { newEmail, PASSWORD, registrationOf, shopperCalls } from '../test/support/shopper-calls.ts'
import { formatTable, print } from './report.ts'

const TRIES = 150
/** Reached by nobody: letters fail, behind the answers. */
const mail = { url: 'smtp://127.0.0.1:1', from: 'shop@parts.example' }

type Try = (email: string, from: string) => Promise<unknown>

/** How long each call takes for addresses that are known and for ones that are not, tried in turns so that both meet the same machine. */
async function main(): Promise<void> {
  await using api = await startApi({ mail })
  const key = await api.key({ kind: 'secret', mode: 'live' })
  const post = shopperCalls(api, key)
  const known = await accounts(api)
  const calls: Record<string, Try> = {
    register: (email, from) => post('', registrationOf(email), from),
    login: (email, from) => post('/login', { email, password: `not ${PASSWORD}` }, from),
    'password-reset': (email, from) => post('/password-reset', { email }, from),
  }
  const rows: string[][] = []
  for (const [call, work] of Object.entries(calls)) {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let i = 0; i < TRIES; i++) {
      const both = [
        ['known', known[i]!],
        ['unknown', newEmail()],
      ] as const
      for (const [which, email] of i % 2 ? both : both.toReversed())
        times[which].push(await timed(() => work(email, addressOf(rows.length, i))))
    }
    for (const which of ['known', 'unknown'] as const)
      rows.push([call, which, ...[0.05, 0.5, 0.95].map((share) => `${quantile(times[which], share).toFixed(2)} ms`)])
  }
  print(
    formatTable({
      title: `Enumeration: ${TRIES} tries each`,
      columns: ['call', 'address', 'p5', 'median', 'p95'],
      rows,
    }),
  )
}

/** So many that no limit by mailbox is met. */
async function accounts({ db }: Api): Promise<string[]> {
  const emails = Array.from({ length: TRIES }, newEmail)

  const password_hash = await createPasswordHasher().hash(PASSWORD)

  for (const email of emails) {
    const shopper = { tenant_id: 'acme', mode: 'live', shopper_id: generateShopperId(), email, password_hash } as const
    await addShopper(db, { ...shopper, customer_id: 'C-1001' }, new Date(), new Date())
  }
  return emails
}

const addressOf = (round: number, i: number) => `198.18.${round}.${i}`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function quantile(times: number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(share * (times.length - 1))]!
}

await main()
