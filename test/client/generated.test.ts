import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateClient, generatedFolder } from '../../src/bin/client/generate.ts'

describe('the generated files of the client', () => {
  it('are those of the current API: if not, run npm run client:generate', async () => {
    for (const [name, text] of Object.entries(await generateClient()))
      expect(readFileSync(join(generatedFolder, name), 'utf8') === text, name).to.equal(true)
  })
})
