import { expect } from 'chai'
import { openDemoMirror } from '../catalog/demo-mirror.ts'
import type { TestMirror } from '../catalog/test-mirror.ts'
import { type Api, startApi } from '../support/api.ts'
import { createFileMirrorReader, type FileMirrorReader, useMirror } from '../support/file-mirror-reader.ts'

const repeat = (pair: string, count: number) => new Array(count).fill(pair).join('&')
const encode = encodeURIComponent

const queries: Record<string, readonly [query: string, status: number]> = {
  'a text of 1,200 words': [`q=${'brake+'.repeat(1_200)}`, 422],
  'a text of 128 words': [`q=${'a+'.repeat(128)}`, 200],
  'FTS operators': [`q=${encode('brake AND NOT (pad OR NEAR(disc set, 2)) name:x ^y')}`, 200],
  'an open quote': [`q=${encode('"brake')}`, 200],
  'closing quotes': [`q=${encode(`'"";--" OR 1=1`)}`, 200],
  'a NUL': ['q=brake%00pad', 200],
  'only a NUL': ['q=%00', 200],
  'an asterisk': ['q=*', 200],
  'a prefix of nothing': [`q=${encode('"*" + - ( ) { } : ^')}`, 200],
  'a lone percent sign': ['q=%', 200],
  'broken escapes': ['q=%ff%zz%E0%A4%A', 200],
  'an emoji': [`q=${encode('🛞🛞')}`, 200],
  '100 facets': [repeat('facets=brand', 100), 200],
  '200 facets': [repeat('facets=brand', 200), 422],
  '200 facets in one value': [`facets=${'brand,'.repeat(200)}`, 422],
  '100 categories': [repeat('category=x', 100), 200],
  '101 tags': [repeat('tag=x', 101), 422],
  'a deep offset': ['offset=9007199254740991', 200],
  'an offset that is no integer': ['offset=1e99', 422],
  '200 SKUs': [`skus=${Array.from({ length: 200 }, (_, i) => `S-${i}`).join(',')}`, 200],
  'SKUs of commas': [`skus=${','.repeat(2_000)}`, 200],
  'SKUs of quotes': [`skus=${encode(`'","[{}]`)}`, 200],
  'a slug of SQL': [`slug=${encode(`x' OR '1'='1`)}`, 200],
  'an endless price': [`min_price=${'9'.repeat(400)}`, 422],
  'a price that is no number': ['min_price=NaN&max_price=Infinity', 422],
  'the first and the last moment': ['updated_since=0001-01-01T00:00:00Z', 200],
  'the last moment': ['updated_since=9999-12-31T23:59:59.999999Z', 200],
  'members of Object': ['__proto__=1&constructor=2&toString=3', 200],
}

describe('a hostile search', () => {
  let api: Api
  let key: string
  let file: TestMirror
  let mirror: FileMirrorReader

  before(async () => {
    api = await startApi()
    key = await api.key()
    file = openDemoMirror()
    mirror = createFileMirrorReader(file)
    useMirror(api, mirror)
  })
  after(async () => {
    mirror[Symbol.dispose]()
    file[Symbol.dispose]()
    await api[Symbol.asyncDispose]()
  })

  for (const [what, [query, expected]] of Object.entries(queries)) {
    it(`is ${expected}: ${what}`, async () => {
      const { status, body } = await api.request(`/v1/products?${query}`, { key })
      expect(status, JSON.stringify(body).slice(0, 300)).to.equal(expected)
    })
  }
})
