import { expect } from 'chai'
import fc from 'fast-check'
import { createFitmentCsvFormat } from '../../src/fitment/fitment-csv-format.ts'
import { fitmentCsvHeaderLine, toFitmentCsvRow } from '../../src/fitment/fitment-csv-row.ts'
import { fitmentCsvTemplate } from '../../src/fitment/fitment-csv-template.ts'
import { createFitmentFileParser, type ParsedFitmentRow } from '../../src/fitment/fitment-file-parser.ts'
import type { FileLimits } from '../../src/imports/file-parser.ts'
import type { InvalidLine } from '../../src/imports/import-report.ts'
import { codePoint } from '../support/code-point.ts'
import { toByteChunks } from '../support/to-byte-chunks.ts'

async function check(bytes: AsyncIterable<Uint8Array> | string | Buffer, limits?: FileLimits) {
  const bad: InvalidLine[] = []
  const parser = createFitmentFileParser({
    knownVehicles: [],
    format: createFitmentCsvFormat(''),
    onBadLine: (line) => bad.push(line),
    ...(limits && { limits }),
  })
  const rows: ParsedFitmentRow[] = []
  const source = typeof bytes === 'string' || ArrayBuffer.isView(bytes) ? toByteChunks(bytes) : bytes
  for await (const batch of parser.read(source)) rows.push(...batch)
  return { rows, bad, vehicles: parser.vehicles(), ...parser.summary() }
}

const checkLines = (...lines: string[]) => check(`sku,year,make,model,notes,universal\n${lines.join('\n')}\n`)

describe('the fitment file parser', () => {
  it('accepts any separator, line end and byte order mark, and columns in any case and order', async () => {
    const cells = [
      ['Make', 'SKU', 'Model Year', 'YEAR', 'model'],
      ['Kia', 'A', '', '2014', 'Rio'],
    ]
    for (const separator of [',', ';', '\t']) {
      for (const end of ['\n', '\r\n', '\r']) {
        for (const before of ['', end]) {
          const text = `\ufeff${before}${cells.map((line) => line.join(separator)).join(end)}`
          const { rows, bad, unused } = await check(text)
          expect([rows.length, bad, unused]).to.deep.equal([1, [], ['Model Year']])
        }
      }
    }
  })

  it('accepts chunks of any size', async () => {
    const text = Buffer.from(`${fitmentCsvTemplate}\nÄÖ-1,2014,Škoda,Fabia,,,,,,,"two\nlines",,\n`)
    const whole = await check(text)
    expect(whole.bad).to.deep.equal([])
    async function* pieces() {
      for (const byte of text) yield Uint8Array.of(byte)
    }
    expect(await check(pieces())).to.deep.equal(whole)
  })

  it('reports bad lines with their numbers, after multi-line fields and empty lines too', async () => {
    const { bad } = await checkLines(
      ...[
        '"A",2014,Kia,Rio,"one',
        'two',
        'three",',
        '',
        'B,2014,Kia',
        ',2014,Kia,Rio,,',
        'C,,Kia,,,',
        'D,2014,Kia,Rio,"a',
      ],
      'b",maybe',
      'E,2014,Kia,Rio,,yes',
      'F,2101,Kia,Rio,,',
      'A,2014,KIA,RIO,other,',
      'G,2012-2014,Kia,Rio,,',
    )
    expect(bad.map(({ line, mistake }) => `${line}: ${mistake}`)).to.deep.equal([
      '6: has 3 fields, but the header line has 6',
      '7: has no sku',
      '8: has no year and no model, and is not universal',
      '9: universal "maybe" is neither yes nor no',
      '11: is universal, but has a year',
      '12: year "2101" is not a year from 1900 to 2100, or a range of them',
      '13: A already fits 2014 Kia Rio on line 2, with different notes',
    ])
  })

  it('accepts duplicate lines, and rejects contradictory ones', async () => {
    const twice = await checkLines(
      'A,2014-2015,Kia,Rio,,',
      'A,2015,kia,rio,,',
      'A,2015-2016,Kia,Rio,,',
      'U,,,,,yes',
      'U,,,,,Y',
    )
    expect([twice.rows.length, twice.duplicateLines, twice.bad]).to.deep.equal([4, 2, []])
    const contradictory = await checkLines('A,2016,Kia,Rio,x,', 'A,2014-2016,Kia,Rio,,', 'A,2014,Kia,Rio,y,')
    expect(contradictory.bad.map(({ line }) => line)).to.deep.equal([3])
    expect(contradictory.rows, 'a bad line has no rows').to.have.lengthOf(2)
  })

  it('requires one id for a vehicle, and one vehicle of one year for an id', async () => {
    const { bad } = await check(
      ['sku,year,make,model,vehicle_id', 'A,2014,Kia,Rio,5', 'A,2015,Kia,Rio,5', 'B,2014,Kia,Rio,6', 'C,2014,Kia,Rio,']
        .concat(['D,2014-2015,Kia,Ceed,7', 'E,2014,Kia,Soul,0', 'F,2014,Kia,Soul,1000000000', 'G,2014,KIA,rio,5'])
        .join('\n'),
    )
    expect(bad.map(({ line, mistake }) => `${line}: ${mistake}`)).to.deep.equal([
      '3: vehicle_id 5 is 2014 Kia Rio on line 2',
      '4: 2014 Kia Rio has vehicle_id 6 here, but 5 on line 2',
      '5: 2014 Kia Rio has no vehicle_id here, but 5 on line 2',
      '6: has one vehicle_id for 2 years: an id identifies one vehicle of one year',
      '7: vehicle_id "0" is not a whole number from 1 to 999999999',
      '8: vehicle_id "1000000000" is not a whole number from 1 to 999999999',
    ])
  })

  it('accepts single quotes; rejects control characters, other encodings and overlong fields', async () => {
    const { rows } = await checkLines('A,2014,Kia,Rio,for 15" wheels,')
    expect(JSON.parse(rows[0]!.fitment).notes).to.equal('for 15" wheels')
    const head = 'sku,year,make,model,notes\n'
    const bad = async (...parts: (string | Buffer)[]) => {
      const found = await check(toByteChunks(head, ...parts))
      expect(found.rows.length).to.be.below(2)
      return found.bad.map(({ line, mistake }) => `${line}: ${mistake}`)
    }
    expect(await bad('A\u0000,2014,Kia,Rio,\n')).to.deep.equal(['2: sku contains a control character'])
    expect(await bad('A,2014,Kia,Rio,\u0007\n')).to.deep.equal(['2: notes contains a control character'])
    expect(await bad('A,2014,', Buffer.from('Citro\xebn', 'latin1'), ',C3,\n')).to.deep.equal([
      '2: make is not UTF-8: save the file as UTF-8',
    ])
    expect(await bad(`A,2014,Kia,Rio,${'x'.repeat(2_001)}\n`)).to.deep.equal([
      '2: notes is longer than 2000 characters',
    ])
    expect(await bad(`A,2014,Kia,Rio,"${'x'.repeat(10_000_000)}\n`)).to.deep.equal([
      '2: is longer than 64 KiB: a quote may not be closed',
    ])
    expect(await bad('A,2014,Kia,Rio,"x\n')).to.deep.equal(['2: the file ends inside a quoted field'])
    const utf16 = await check(Buffer.from('\ufeffsku,year,make,model\n', 'utf16le'))
    expect(utf16.bad).to.deep.equal([{ line: 1, mistake: 'the file is UTF-16: save it as UTF-8' }])
  })

  for (const [what, text, mistake] of [
    ['nothing', '', 'the file is empty'],
    ['no column sku', 'year,make,model\n', 'the header line has no column sku'],
    ['no vehicles', 'sku,year\n', 'the header line has no column make, model'],
    ['a column twice', 'sku,Qty,quantity,universal\n', 'the header line has quantity twice'],
  ] as const) {
    it(`refuses a file with ${what}`, async () => {
      const { bad, isComplete, hasHeader, lines, badLines } = await check(text)
      expect([bad, isComplete, hasHeader]).to.deep.equal([[{ line: 1, mistake }], false, false])
      expect([badLines, lines]).to.deep.equal([1, 1])
    })
  }

  it('stops reading above its limits', async () => {
    const lines = Array.from({ length: 50 }, (_, at) => `A-${at},2000-2009,Kia,Rio`).join('\n')
    const rows = await check(`sku,year,make,model\n${lines}`, { rows: 100, bytes: 10_000 })
    expect([rows.bad, rows.isComplete]).to.deep.equal([[{ line: 12, mistake: 'exceeds 100 rows' }], false])
    const bytes = await check(`sku,year,make,model\n${lines}`, { rows: 10_000, bytes: 100 })
    expect(bytes.bad.at(-1)?.mistake).to.equal('the file is larger than 100 bytes')
  })

  it('never reports more bad lines than lines, even with an unreadable end', async () => {
    const years = Array.from({ length: 5_000 }, (_, at) => `A-${at},20I4,Kia,Rio,,`)
    const { bad, badLines, lines, hasHeader } = await checkLines(...years, 'C,2014,Kia,Rio,"x')
    expect([badLines, lines, hasHeader]).to.deep.equal([bad.length, bad.length, true])
    expect(bad.length).to.be.above(1)
  })

  it('reports only bad lines, whatever the bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((noise) => Buffer.from(noise))
    const text = fc
      .string({ unit: codePoint, maxLength: 200 })
      .map((noise) => Buffer.from(`${fitmentCsvHeaderLine}\n${noise}`))
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, text), async (noise) => {
        const { bad, badLines, isComplete, lines } = await check(noise)
        expect(bad.length + lines).to.be.at.least(isComplete ? 0 : 1)
        expect([badLines, badLines <= lines]).to.deep.equal([bad.length, true])
      }),
    )
  })

  const word = (maxLength: number) =>
    fc.string({ unit: 'grapheme', minLength: 1, maxLength }).map((text) => {
      const plain = text.normalize('NFC').replace(/[\p{Cc}|\ufffd\ufeff]/gu, '')
      const flat = plain.replace(/\s+/g, ' ').trim()
      return ['', '.', '..'].includes(flat) ? 'x' : flat
    })
  const note = fc.oneof(word(30), fc.constantFrom('a\nb', '"', '""', ',"', 'x;y', ' =1+1'.trim(), "it's"))
  const fitment = fc.record({
    positions: fc.uniqueArray(word(10), { maxLength: 3 }),
    quantity: fc.option(fc.integer({ min: 1, max: 999_999_999 }).map((thousandths) => thousandths / 1_000)),
    notes: fc.option(note),
    qualifiers: fc.uniqueArray(
      fc.record({ code: word(8).map((code) => code.replaceAll(':', '').trim() || 'x'), text: word(20) }),
      { maxLength: 3, selector: ({ code, text }) => `${code}:${text}` },
    ),
  })
  const row = fc.record({
    sku: word(12),
    fitment,
    vehicle: fc.option(
      fc.record({
        year: fc.integer({ min: 1900, max: 2100 }),
        market: fc.oneof(fc.constant(''), word(3)),
        make: word(10),
        model: word(10),
        submodel: fc.option(word(5)),
        engine: fc.option(word(5)),
      }),
    ),
  })

  it('reads an exported row unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(row, async ({ sku, fitment: made, vehicle }) => {
        const none = { year: null, market: null, make: null, model: null, submodel: null, engine: null }
        const stored = { ...none, ...vehicle, vehicle_id: vehicle ? 1_500_000_000 : 0, sku }
        const text = `${fitmentCsvHeaderLine}\n${toFitmentCsvRow({ ...stored, fitment: JSON.stringify(made) })}\n`
        const { rows, bad, vehicles } = await check(text)
        expect(bad).to.deep.equal([])
        expect([rows[0]!.sku, JSON.parse(rows[0]!.fitment)]).to.deep.equal([sku, made])
        if (vehicle) expect(vehicles[0]).to.deep.include(vehicle)
      }),
      { numRuns: 300 },
    )
  })
})
