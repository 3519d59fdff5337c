import { expect } from 'chai'
import { describeOutages } from './describe-outages.ts'
import { expectAll } from './expect-on-page.ts'
import { ACME_CONTACT } from './outage-merchants.ts'
import { around, toClock } from './outage-times.ts'
import { recordSignInRefusals } from './record-sign-in-refusals.ts'

describeOutages('sign-ins that a limit refused, from a clock time alone', (outages) => {
  for (const [name, listed, said] of [
    [
      'logins',
      'shopper account, from one device or address',
      'There were more than 20 in 15 min; Request lists those before the limit, too, as refused sign-ins with a wrong password.',
    ],
    ['loginsByAddress', 'network address, for sign-ins', 'One network address was limited, not the key'],
    ['key', 'limit of the key', 'The API key was limited'],
  ] as const)
    it(`says that a sign-in met the limit "${name}", and until when`, async () => {
      const { clock, readText } = outages()
      const at = clock.ms
      const [id] = await recordSignInRefusals(outages(), name, 1)
      const list = await readText(around('/request?merchant=acme&mode=live&kind=refused&', at))
      expect(list).to.include(`Rate limited: ${listed}`)
      if (name === 'logins')
        expectAll(await readText(`/request?id=${id}`), [
          'the right password is refused too',
          'This limit does not affect the key or any other account, and ends by itself. Until then,',
          'nothing is known of the carts and orders of that shopper; the refusal changed none of them.',
          `Whom to call about Acme Parts: ${ACME_CONTACT}`,
          'somebody may be guessing the password: the shopper should set a new one',
        ])
      expectAll(await readText(`/request?id=${id}`), [said, `The limit lasts until ${toClock(at + 600_000)}.`])
      expectAll(await readText('/'), [
        'Requests that were refused as they should be, such as sign-ins after too many attempts, are not failures: Request lists them',
      ])
      expectAll(await readText(around('/incidents?', at)), [
        `1 request of Acme Parts (live) refused: Rate limited: ${listed}`,
      ])
      const limited = await outages().db.selectFrom('key_days').select('limited').execute()
      expect(limited.some((day) => day.limited > 0)).to.equal(name === 'key')
    })

  it('says that a shopper was locked out, and why', async () => {
    const { clock, record, readText } = outages()
    const at = clock.ms
    const refusal = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 429 }
    await record([{ ...refusal, requestId: 'locked-out', code: 'rate_limited', sections: undefined }])
    const list = await readText(around('/request?merchant=acme&mode=live&kind=refused&', at))
    expect(list).to.include('locked-out').and.include('Sign-in logInShopper').and.include('Rate limited')
    expectAll(await readText('/request?id=locked-out'), [
      'too many attempts by one shopper',
      'has to wait, an hour at the most',
    ])
  })

  it('says of a failed sign-in when the account is limited, and whom to call', async () => {
    const { record, readText } = outages()
    const refusal = { route: 'logInShopper', method: 'POST', url: '/v1/shoppers/login', status: 401 }
    await record([{ ...refusal, requestId: 'wrong-password', code: 'invalid_credentials', sections: undefined }])
    expectAll(await readText('/request?id=wrong-password'), [
      'After more than 20 such sign-ins in 15 min from one device or network address, the account is limited, and further ones get 429: the page of such a request says until when.',
      `Whom to call about Acme Parts: ${ACME_CONTACT}`,
    ])
  })
})
