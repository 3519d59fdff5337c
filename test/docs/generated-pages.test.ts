import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createDocPages, docsFolder } from '../../src/bin/docs/write-pages.ts'
import { eventKinds } from '../../src/contract/events/event-types.ts'
import { sectionErrorCodes } from '../../src/contract/section-error-codes.ts'
import { validationRemedies } from '../../src/http/validation-remedies.ts'
import { problemTypes } from '../../src/problem-types.ts'

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

  it('have each type of a 422 that FastAPI does not have', () => {
    const own = [...thrownTypes(), ...guideTypes()].filter((type) => !FASTAPI_TYPES.has(type))
    expect(new Set(own).size).to.be.above(20)
    expect(own.filter((type) => !(type in validationRemedies))).to.deep.equal([])
    for (const type of Object.keys(validationRemedies))
      expect(createDocPages()['errors.md']).to.match(new RegExp(`^\\| \`${type}\` \\| \\w.{8,} \\|$`, 'm'))
  })
})

const FASTAPI_TYPES = new Set(['missing', 'greater_than', 'less_than_equal', 'decimal_max_places', 'json_invalid'])
const THROWN_TYPES = [
  /(?:createInvalidInput|createHeaderError|rejectParameter|toValidationItem)\(\s*'(\w+)'/g,
  /(?:createSinceError|invalidQuantity)\([^,]+, '(\w+)'/g,
  /type: '(\w+)',\s*loc:/g,
]

/** Returns the types in the places of src that create an entry of a 422. */
function thrownTypes(): string[] {
  const source = join(docsFolder, '../src')
  const texts = globSync('{http,routes,commands,webhooks}/**/*.ts', { cwd: source }).map((name) =>
    readFileSync(join(source, name), 'utf8'),
  )
  return texts.flatMap((text) => THROWN_TYPES.flatMap((form) => [...text.matchAll(form)].map(([, type]) => type!)))
}

/** Returns the types that the guides name, such as 422 `mirror_required`. */
const guideTypes = (): string[] =>
  globSync('*.md', { cwd: docsFolder }).flatMap((name) =>
    [...readFileSync(join(docsFolder, name), 'utf8').matchAll(/422\s+`(\w+)`/g)].map(([, type]) => type!),
  )
