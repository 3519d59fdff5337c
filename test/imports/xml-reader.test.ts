import { expect } from 'chai'
import { readXmlElements, type XmlElement, type XmlShape } from '../../src/imports/xml-reader.ts'

const shape: XmlShape = { root: 'LIST', records: ['Item'], skipped: ['Pictures'] }

async function read(text: string | Uint8Array, chunk = 65_536): Promise<XmlElement[]> {
  const bytes = Buffer.from(text as string)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  const elements: XmlElement[] = []
  for await (const element of readXmlElements(chunks(), shape)) elements.push(element)
  return elements
}
const failureOf = (text: string | Uint8Array) =>
  read(text).then(
    () => 'none',
    ({ line, message }) => `line ${line}: ${message}`,
  )
const item = (content: string) => `<LIST>\n<Item>${content}</Item>\n</LIST>`

describe('the reader of XML files', () => {
  it('yields records with attributes, texts and lines, in chunks of any size', async () => {
    const text = `\ufeff<?xml version="1.0" encoding="utf-8"?>\n<l:LIST xmlns:l="urn:x">
  <l:Item id="1&amp;2">
    <Name>A &lt; B &#233; <![CDATA[<raw>]]></Name><!-- not here -->
    <Pictures><Picture>no</Picture></Pictures>
  </l:Item><Other><Item/></Other>
</l:LIST>\n`
    const whole = await read(text)
    expect(whole).to.deep.equal([
      {
        name: 'Item',
        attributes: { id: '1&2' },
        text: '',
        line: 3,
        children: [{ name: 'Name', attributes: {}, text: 'A < B é <raw>', line: 4, children: [] }],
      },
      { name: 'Item', attributes: {}, text: '', line: 6, children: [] },
    ])
    for (const size of [1, 2, 3, 7]) expect(await read(text, size)).to.deep.equal(whole)
  })

  it('reads Latin-1 when the declaration says so', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${item('Caf\xe9')}`
    expect((await read(Buffer.from(text, 'latin1')))[0]!.text).to.equal('Café')
  })

  for (const [what, text, mistake] of [
    ['an empty file', '', 'line 1: the file is empty'],
    ['another document', '<OTHER/>', 'line 1: is not LIST: the root element is OTHER'],
    ['a text that is no XML', 'sku,number\nA,1\n', /^line \d: is not valid XML: /],
    ['a truncated file', '<LIST>\n<Item>\n<Name>A', /^line 3: is not valid XML: /],
    ['a wrong end tag', '<LIST>\n<Item>\n</Name></LIST>', /^line 3: is not valid XML: unexpected close tag/],
    ['content after the end', `${item('')}\n<LIST/>`, /^line 4: is not valid XML: /],
    ['an unknown entity', item('&writer;'), /^line 2: is not valid XML: undefined entity/],
    ['a control character', item('\u0001'), /^line 2: is not valid XML: disallowed character/],
    ['UTF-16', Buffer.from(`\ufeff${item('')}`, 'utf16le'), 'line 1: the file is UTF-16: save it as UTF-8'],
    ['an unknown encoding', '<?xml version="1.0" encoding="ebcdic"?><LIST/>', /^line 1: the encoding ebcdic is not/],
    [
      'an external entity',
      `<!DOCTYPE LIST [<!ENTITY file SYSTEM "file:///etc/passwd">]>${item('&file;')}`,
      'line 1: has a document type declaration, which is not accepted',
    ],
    ['elements too deep', `<LIST>${'<a>'.repeat(40)}`, 'line 1: has elements more than 32 deep'],
    ['a huge record', item(`<Name>${'x'.repeat(1_100_000)}</Name>`), /^line 2: has an element that is too large/],
    ['a tag without an end', `<LIST a="${'x'.repeat(3_000_000)}`, /^line 1: has a tag, text or comment of more than/],
    ['a comment without an end', `<LIST><!--${'x'.repeat(3_000_000)}`, /^line 1: has a tag, text or comment of more/],
  ] as const) {
    it(`refuses ${what}, with its line`, async () => {
      const failure = await failureOf(text as string)
      if (typeof mistake === 'string') expect(failure).to.equal(mistake)
      else expect(failure).to.match(mistake)
    })
  }
})
