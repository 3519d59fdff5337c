import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type IssueKeyOptions, runKeysIssue } from '../../../src/cli/keys/key-commands.ts'
import { UsageError } from '../../../src/cli/usage-error.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { listApiKeys } from '../../../src/storage/keys/api-keys.ts'

const good = { merchant: 'acme', kind: 'publishable', mode: 'live' }

describe('a key that cannot be issued', () => {
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

  for (const [what, wrong, sentence] of [
    ['merchant', { merchant: 'nobody' }, /There is no merchant "nobody".*acme/],
    ['kind', { kind: 'public' }, /publishable, secret/],
    ['mode', { mode: 'test' }, /sandbox, live/],
    ['rate of nothing', { rate: '0' }, /--rate/],
    ['rate with a fraction', { rate: '1.5' }, /--rate/],
    ['rate of words', { rate: 'many' }, /--rate/],
    ['origin without a scheme', { origins: 'shop.example' }, /--origins/],
    [
      'origin with a path',
      { origins: 'https://ok.example,https://shop.example/cart' },
      /--origins.*shop\.example\/cart/,
    ],
    ['star for a live key', { origins: '*' }, /sandbox keys/],
    ['scope', { scopes: 'storefront:everything' }, /storefront:catalog/],
    ['scope of another kind', { scopes: 'storefront:catalog,storefront:webhooks' }, /publishable key may have/],
    ['time to end', { expires: 'soon' }, /--expires/],
    ['time to end without a unit', { expires: '30' }, /--expires.*90d/],
    ['time to end that is over', { expires: '2020-01-01' }, /in the past/],
    ['time to end that nobody lives to see', { expires: '100000000d' }, /--expires is 100 years at the most/],
    ['date that nobody lives to see', { expires: '9999-12-31' }, /--expires is within 100 years/],
    ['label of two lines', { label: 'a\nb' }, /--label is one line/],
    ['label that colours a terminal', { label: 'a\u001b[31mred' }, /without control characters/],
    ['label of nothing', { label: '' }, /1 to 100/],
    ['label that is a page', { label: 'x'.repeat(101) }, /1 to 100/],
    ['time to end that is no day', { expires: '2999-13-45' }, /--expires/],
  ] as const) {
    it(`is told so in a sentence: ${what}`, async () => {
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
