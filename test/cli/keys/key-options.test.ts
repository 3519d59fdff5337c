import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type IssueKeyOptions, runKeysIssue } from '../../../src/cli/keys/key-commands.ts'
import { UsageError } from '../../../src/cli/usage-error.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { listApiKeys } from '../../../src/storage/keys/api-keys.ts'

const good = { merchant: 'acme', kind: 'publishable', mode: 'live' }

describe('forecourt keys issue with an invalid option', () => {
  let directory: string
  let config: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-issue-'))
    config = join(directory, 'forecourt.yaml')
    const merchants = { acme: { name: 'Acme', currency: 'JMD', time_zone: 'UTC' } }
    await writeFile(config, JSON.stringify({ store: `sqlite:${directory}/keys.db`, merchants }))
  })
  after(() => rm(directory, { recursive: true, force: true }))

  const attempt = (wrong: Partial<IssueKeyOptions>) =>
    runKeysIssue({ ...good, config, ...wrong }).then(
      () => 'issued',
      (error: unknown) => error,
    )

  for (const [mistake, wrong, sentence] of [
    ['merchant', { merchant: 'nobody' }, /There is no merchant "nobody".*acme/],
    ['kind', { kind: 'public' }, /publishable or secret/],
    ['mode', { mode: 'test' }, /live or sandbox/],
    ['rate of zero', { rate: '0' }, /--rate/],
    ['rate with a fraction', { rate: '1.5' }, /--rate/],
    ['rate of words', { rate: 'many' }, /--rate/],
    ['rate of a client above that of the key', { rate: '50', ratePerClient: '51' }, /--rate-per-client.*1 to 50/],
    ['rate of a client of zero', { ratePerClient: '0' }, /--rate-per-client.*1 to 600/],
    ['rate of a client of a secret key', { kind: 'secret', ratePerClient: '5' }, /publishable keys/],
    [
      'origins of a secret key',
      { kind: 'secret', origins: 'https://shop.example' },
      /--origins.*publishable keys.*Omit/,
    ],
    ['origin without a scheme', { origins: 'shop.example' }, /--origins/],
    [
      'origin with a path',
      { origins: 'https://ok.example,https://shop.example/cart' },
      /--origins.*shop\.example\/cart/,
    ],
    ['wildcard origin for a live key', { origins: '*' }, /sandbox keys/],
    ['scope', { scopes: 'storefront:everything' }, /storefront:catalog/],
    ['scope of another kind', { scopes: 'storefront:catalog,storefront:webhooks' }, /publishable key may have/],
    ['invalid duration', { expires: 'soon' }, /--expires/],
    ['duration without a unit', { expires: '30' }, /--expires.*90d/],
    ['date in the past', { expires: '2020-01-01' }, /in the past/],
    ['duration of more than 100 years', { expires: '100000000d' }, /--expires takes a time within the next 100 years/],
    ['date beyond 100 years', { expires: '9999-12-31' }, /--expires takes a time within the next 100 years/],
    ['label of two lines', { label: 'a\nb' }, /--label takes one line/],
    ['label with control characters', { label: 'a\u001b[31mred' }, /without control characters/],
    ['empty label', { label: '' }, /1 to 100/],
    ['label that is too long', { label: 'x'.repeat(101) }, /1 to 100/],
    ['date that does not exist', { expires: '2999-13-45' }, /--expires/],
  ] as const) {
    it(`explains in a sentence: ${mistake}`, async () => {
      const error = await attempt(wrong)
      expect(error).to.be.instanceOf(UsageError)
      expect((error as UsageError).message).to.match(sentence)
      const db = await openDatabase(`sqlite:${directory}/keys.db`)
      const made = await listApiKeys(db)
      await db.destroy()
      expect(made).to.deep.equal([])
    })
  }
})
