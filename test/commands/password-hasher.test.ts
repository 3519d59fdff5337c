import { expect } from 'chai'
import { createPasswordHasher } from '../../src/commands/password-hasher.ts'
import { Problem } from '../../src/errors.ts'

describe('the password hasher', () => {
  const passwords = createPasswordHasher()

  it('hashes with argon2id in PHC string format, each time with a new salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(one).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).to.not.equal(other)
  })

  it('matches the same password only', async () => {
    const hash = await passwords.hash('correct horse')
    expect(await passwords.matches('correct horse', hash)).to.equal(true)
    expect(await passwords.matches('correct horsf', hash)).to.equal(false)
    expect(await passwords.matches('', hash)).to.equal(false)
    expect(await passwords.matches('correct horse', null)).to.equal(false)
  })

  it('matches an accent in either Unicode form', async () => {
    expect(await passwords.matches('Cafe\u0301 au lait', await passwords.hash('Caf\u00e9 au lait'))).to.equal(true)
  })

  it('matches hashes with other parameters', async () => {
    // RFC 9106's reference program: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32
    const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await passwords.matches('password', hash)).to.equal(true)
    expect(await passwords.matches('passwore', hash)).to.equal(false)
  })

  it('hashes for one group while another one fills its queue', async () => {
    const busy = createPasswordHasher({ concurrency: 1, maxQueued: 4 })
    const finished: string[] = []
    const run = (group: string) => busy.hash('correct horse', group).then(() => finished.push(group))
    const flood = Array.from({ length: 5 }, () => run('a stranger'))
    const refused = await run('a stranger').catch((error) => error)
    expect(refused).to.include({ code: 'overloaded' })
    await Promise.all([...flood, run('a known device')])
    expect(finished.indexOf('a known device')).to.be.within(0, 2)
  })

  it('rejects calls beyond its queue limit', async () => {
    const busy = createPasswordHasher({ concurrency: 1, maxQueued: 2 })
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => busy.hash('correct horse')))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).to.have.length.within(3, 4)
    for (const { reason } of refused) {
      expect(reason).to.be.instanceOf(Problem)
      expect(reason.code).to.equal('overloaded')
    }
    expect(await busy.hash('correct horse')).to.match(/^\$argon2id/)
  })
})
