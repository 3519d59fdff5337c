import { expect } from 'chai'
import { createActionThrottle } from '../../src/commands/action-throttle.ts'
import { sha256Hex } from '../../src/security/random-id.ts'

const tenant = { merchant: 'acme', mode: 'live' } as const
const victim = 'victim@shop.example'

/** Finds an attacker's address whose plain digest begins like the victim's. */
function findCollidingAddress(): string {
  const start = (who: string) => sha256Hex(`acme\nlive\n${who}`).slice(0, 5)
  const wanted = start(victim)
  for (let n = 0; ; n++) if (start(`me+${n}@attacker.example`) === wanted) return `me+${n}@attacker.example`
}

describe('the action throttle', () => {
  it('is not reset by a sign-in with an address that was chosen to share its counter', async () => {
    const throttle = createActionThrottle()
    const mine = findCollidingAddress()
    for (let i = 0; i < 20; i++) await throttle.take('logins', tenant, victim)
    await throttle.reset('logins', tenant, mine)
    const refused = await throttle.take('logins', tenant, victim).catch((error) => error)
    expect(refused).to.include({ code: 'rate_limited' })
  })

  it('does not count an unknown client address', async () => {
    const throttle = createActionThrottle()
    for (let i = 0; i < 200; i++) await throttle.take('loginsByAddress', tenant, null)
    await throttle.refund('loginsByAddress', tenant, null)
  })
})
