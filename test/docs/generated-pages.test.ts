import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createDocPages, docsFolder } from '../../src/bin/docs/write-pages.ts'
import { eventKinds } from '../../src/contract/event-types.ts'
import { sectionErrorCodes } from '../../src/contract/problem.ts'
import { problemTypes } from '../../src/errors.ts'

describe('the pages that are made from tables in the code', () => {
  for (const [name, text] of Object.entries(createDocPages()))
    it(`docs/${name} is what npm run docs:pages writes`, () => {
      expect(readFileSync(join(docsFolder, name), 'utf8')).to.equal(text)
    })

  it('have each code with a remedy, and each type of event', () => {
    const { 'errors.md': errors, 'events.md': events } = createDocPages() as {
      'errors.md': string
      'events.md': string
    }
    for (const code of ['bad_request', ...Object.keys(problemTypes), ...Object.keys(sectionErrorCodes)])
      expect(errors).to.match(new RegExp(`^\\| \`${code}\` \\|.* \\w.{8,} \\|$`, 'm'))
    for (const kind of [...eventKinds, 'webhook.ping']) expect(events).to.include(`\n## ${kind}\n`)
  })
})
