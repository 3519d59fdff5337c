import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { attemptErrors } from '../../src/contract/webhook-delivery.ts'

describe('the webhook guide', () => {
  it('explains each error of a webhook attempt', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
    const rows = [...text.matchAll(/^\| `([a-z_]+)` \| (?=[a-zA-Z])/gm)].map(([, code]) => code)
    expect(rows).to.deep.equal(Object.keys(attemptErrors))
  })
})
