import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createCommandHost } from '../../support/command-host.ts'

const fixtures = join(import.meta.dirname, '../../../fixtures')
const of = ['--merchant', 'acme', '--mode', 'sandbox']

describe('forecourt imports XML files', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-xml-'))
    const acme = 'acme: { name: A, currency: JMD, time_zone: UTC, sandbox: { fitment: imported } }'
    await writeFile(join(cwd, 'forecourt.yaml'), `store: "sqlite:${cwd}/store.db"\nmerchants: { ${acme} }\n`)
    await copyFile(join(fixtures, 'aces/brake-parts.xml'), join(cwd, 'aces.xml'))
    await copyFile(join(fixtures, 'aces/vehicles.csv'), join(cwd, 'vehicles.csv'))
    await copyFile(join(fixtures, 'pies/brake-parts.xml'), join(cwd, 'pies.xml'))
  })
  after(async () => {
    host.stop()
    await rm(cwd, { recursive: true, force: true })
  })

  const run = (...args: string[]) => host.run(args, { cwd })

  it('imports ACES with a vehicle file, and says what it did not resolve', async () => {
    const aces = ['fitment', 'import', 'aces.xml', '--format', 'aces', ...of]
    const { code, out, err } = await run(...aces, '--vehicles', 'vehicles.csv')
    expect([code, out]).to.deep.equal([
      0,
      'Imported aces.xml for acme sandbox: 5 fitments and 0 universal parts: 2 SKUs, 4 vehicles.\n',
    ])
    expect(err.trim().split('\n')).to.deep.equal([
      'Ignored elements: "Asset", "AssetName", "MfrLabel", "PartType"',
      'Not in the vehicle file: DriveType 9007, in 1 application: kept as a qualifier.',
      'Not in the vehicle file: Position 9030, in 1 application: kept as a qualifier.',
    ])
    const exported = await run('fitment', 'export', ...of)
    await writeFile(join(cwd, 'again.csv'), exported.out)
    expect((await run('fitment', 'import', 'again.csv', ...of)).code).to.equal(0)
    expect((await run('fitment', 'export', ...of)).out).to.equal(exported.out)

    const unresolved = await run(...aces, '--json')
    const report = JSON.parse(unresolved.out)
    expect([unresolved.code, report.outcome, report.bad.length]).to.deep.equal([1, 'refused', 4])
    expect(report.unresolved[0]).to.deep.equal({ element: 'Make', id: '9059', applications: 3 })
  })

  it('imports PIES with the codes that the merchant names', async () => {
    const pies = ['references', 'import', 'pies.xml', '--format', 'pies', ...of]
    const assumed = await run(...pies)
    expect(assumed.err.trim().split('\n')).to.deep.equal([
      'Ignored elements: "DigitalAssets"',
      '1 number with TypeCode X: imported as CROSS. --type-codes X=SUPERSEDES, say, imports them as something else.',
      '1 number with TypeCode S: imported as CROSS. --type-codes S=SUPERSEDES, say, imports them as something else.',
    ])
    const { code, out, err } = await run(...pies, '--type-codes', 'S=SUPERSEDES, X=CROSS')
    expect([code, err]).to.deep.equal([0, 'Ignored elements: "DigitalAssets"\n'])
    expect(out).to.equal(
      'Imported pies.xml for acme sandbox: 4 references and 2 descriptions: 2 SKUs, 0 customers with numbers of their own.\n',
    )
    expect((await run('references', 'status')).out).to.include('pies.xml, 4 references and 2 descriptions: 2 SKUs')
    expect((await run('references', 'export', ...of)).out).to.include('BP-1001,Orizon Parts,BP-0900,SUPERSEDES,')
  })

  it('imports the descriptions of a PIES file that the merchant chooses', async () => {
    const pies = ['references', 'import', 'pies.xml', '--format', 'pies', '--type-codes', 'S=CROSS,X=CROSS', ...of]
    const chosen = await run(...pies, '--description-codes', 'SHO, DES', '--json')
    expect(JSON.parse(chosen.out)).to.deep.include({
      outcome: 'imported',
      counts: { references: 4, skus: 2, customers: 0, descriptions: 2 },
      descriptionCodes: [
        { code: 'DES', language: 'en', count: 2, chosen: true },
        { code: 'EXT', language: 'en', count: 1, chosen: false },
      ],
    })
    const french = await run(...pies, '--language', 'fr')
    expect(french.err.trim().split('\n')).to.deep.equal([
      'Ignored elements: "DigitalAssets"',
      'Ignored descriptions: 2 DES in en, 1 EXT in en. --description-codes and --language choose others.',
    ])
    expect(french.out).to.include(': 4 references: 1 SKU, 0 customers')
  })

  for (const [what, args, message] of [
    [
      'a language that is none',
      ['references', 'import', 'pies.xml', '--format', 'pies', '--language', 'French'],
      'two letters',
    ],
    [
      'a language of a CSV file',
      ['references', 'import', 'vehicles.csv', '--language', 'fr'],
      'only for --format pies',
    ],
    [
      'a format that it does not know',
      ['references', 'import', 'pies.xml', '--format', 'xml'],
      '--format takes csv or pies',
    ],
    ['a CSV file as XML', ['references', 'import', 'vehicles.csv', '--format', 'pies'], 'is not a valid PIES file'],
    ['an XML file as CSV', ['references', 'import', 'pies.xml'], 'has no valid header line'],
    [
      'another XML file',
      ['fitment', 'import', 'pies.xml', '--format', 'aces'],
      'is not ACES: the root element is PIES',
    ],
    [
      'codes without a kind',
      ['references', 'import', 'pies.xml', '--format', 'pies', '--type-codes', 'S'],
      '--type-codes takes OEM',
    ],
    ['codes for CSV', ['references', 'import', 'again.csv', '--type-codes', 'S=OEM'], 'only for --format pies'],
    ['vehicles for CSV', ['fitment', 'import', 'again.csv', '--vehicles', 'vehicles.csv'], 'only for --format aces'],
    [
      'a vehicle file that is none',
      ['fitment', 'import', 'aces.xml', '--format', 'aces', '--vehicles', 'aces.xml'],
      'aces.xml line 1: the header line has no column id',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { code, out, err } = await run(...args, ...of)
      expect(code).to.be.oneOf([1, 2])
      expect([out, err]).to.satisfy(() => out === '' && err.includes(message), err)
    })
  }
})
