import { expect } from 'chai'
import { parseSearchText } from '../../../src/console/search/search-text.ts'
import { generateApiKey, toKeyHint } from '../../../src/storage/keys/api-key-format.ts'

const key = generateApiKey('secret', 'live')

describe('the text of the search box', () => {
  for (const typed of [key, `Bearer ${key}`, `Authorization: Bearer ${key}`, `"${key}"`, `key=${key}`])
    it(`has the key of ${typed.replace(key, '<key>')}, which gets into no URL`, () => {
      expect(parseSearchText(typed)).to.include({ key, isPublic: false })
    })

  for (const typed of ['whsec_abc123', 'my whsec_abc123', 'Buyer@Acme.example', key.slice(0, -1)])
    it(`is not public: ${typed.slice(0, 12)}…`, () => {
      expect(parseSearchText(typed)).to.include({ key: null, isPublic: false })
    })

  for (const typed of ['BP-1001', 'SO-42', toKeyHint(key), key.slice(0, 16), 'circuit_open'])
    it(`is public: ${typed.slice(0, 16)}`, () => expect(parseSearchText(typed).isPublic).to.equal(true))
})
