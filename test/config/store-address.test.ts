import { expect } from 'chai'
import { adapters } from '../../src/adapters.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import { parseConfig } from '../../src/config/parse-config-file.ts'
import { redactStoreAddress } from '../../src/config/store-address.ts'

const read = (store: string, env: Record<string, string> = {}) =>
  parseConfig(
    `store: ${JSON.stringify(store)}\nmerchants: { acme: { name: A, currency: JMD, time_zone: UTC } }`,
    'forecourt.yaml',
    adapters,
    env,
  ).store

describe('store in forecourt.yaml', () => {
  it('is a file, or a database', () => {
    for (const store of [
      'sqlite:/var/lib/shop.db',
      'sqlite::memory:',
      'postgres://app:s3cret@db.example/shop',
      'postgresql://db:5433/shop?sslmode=verify-full',
    ])
      expect(read(store)).to.equal(store)
  })

  it('may set time limits in whole numbers alone', () => {
    const limited = 'postgres://app:s3cret@db/shop?connect_timeout=10&statement_timeout=20000'
    expect(read(limited)).to.equal(limited)
    for (const wrong of ['connect_timeout=soon', 'connect_timeout=0', 'statement_timeout=1.5', 'statement_timeout=-1'])
      expect(() => read(`postgres://app:s3cret@db/shop?${wrong}`), wrong)
        .to.throw(ConfigError, /has an invalid (connect|statement)_timeout/)
        .with.property('message')
        .that.does.not.include('s3cret')
  })

  it('is a file beside the one that names it, as the log is and all data, wherever a command is run', () => {
    const text = (more: string) => `${more}\nmerchants: { acme: { name: A, currency: JMD, time_zone: UTC } }`
    const of = (more: string, env = {}) => parseConfig(text(more), '/etc/acme/forecourt.yaml', adapters, env)
    expect(of('store: "sqlite:./shop.db"').store).to.equal('sqlite:/etc/acme/shop.db')
    expect(of('log: { file: log/a.log }').log.file).to.equal('/etc/acme/log/a.log')
    expect(of('data: ../data').store).to.equal('sqlite:/etc/data/forecourt.db')
    expect(of('').dataDirectory).to.equal('/etc/acme/data')
    expect(of('data: ./data', { FORECOURT_DATA: '/var/lib/acme' }).dataDirectory).to.equal('/var/lib/acme')
  })

  it('takes a password from the environment as it is, and a whole address too', () => {
    const password = 'p@ss/w:rd?#%'
    const store = read('postgres://app:\u0024{PASSWORD}@\u0024{HOST}/shop', {
      PASSWORD: password,
      HOST: 'db.example:5433',
    })
    const url = new URL(store)
    expect([decodeURIComponent(url.password), url.host]).to.deep.equal([password, 'db.example:5433'])
    expect(read('\u0024{STORE}', { STORE: 'postgres://app:p%40ss@db/shop' })).to.equal('postgres://app:p%40ss@db/shop')
  })

  for (const [what, store] of Object.entries({
    'another database': 'mysql://app:hunter2@db/shop',
    'no host': 'postgres:///shop',
    'no database': 'postgres://app:hunter2@db',
    'no database behind a slash': 'postgres://app:hunter2@db/',
    'a slash in the password': 'postgres://app:hunter2/x@db/shop',
    'a number with a slash for a password': 'postgres://app:22/hunter2@db/shop',
    'a hash in the password': 'postgres://app:22#hunter2@db/shop',
    'an unknown sslmode': 'postgres://app:hunter2@db/shop?sslmode=hunter2',
  })) {
    it(`is refused once, without a word of it, for ${what}`, () => {
      let refused: unknown
      try {
        read(store)
      } catch (error) {
        refused = error
      }
      expect(refused).to.be.instanceOf(ConfigError)
      expect((refused as ConfigError).mistakes.map(({ path }) => path)).to.deep.equal(['store'])
      expect((refused as ConfigError).message).to.not.include('hunter2')
    })
  }

  it('is named without its password', () => {
    expect(redactStoreAddress('postgres://app:s3cret@db.example:5433/shop?password=s3cret')).to.equal(
      'postgres://app@db.example:5433/shop',
    )
    expect(redactStoreAddress('sqlite:./shop.db')).to.equal('sqlite:./shop.db')
  })
})
