import { expect } from 'chai'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import { describeOutages } from './describe-outages.ts'
import { expectAll } from './expect-on-page.ts'
import { ACME_CONTACT, FORECOURT_CONTACT } from './outage-merchants.ts'
import { around, MINUTE_MS, toClock, toLocalTime } from './outage-times.ts'
import { recordRefusedImport } from './record-refused-import.ts'

describeOutages('an import that failed, from a clock time alone', (outages) => {
  it('says that an import of fitment failed, of which file, when, and why', async () => {
    const { db, clock, readText } = outages()
    const at = clock.ms
    await recordRefusedImport(outages())
    expectAll(await readText('/'), [
      'but 1 import failed',
      `Import fitment (which product fits which vehicle) of Acme Parts (live) at ${toClock(at)}. No later import succeeded.`,
      'Nothing was imported: the import in use is still that of fitment-october.csv, of 7 Nov 2026,',
      'Acme Parts (live) is configured with fitment: imported, so shoppers see that import, without what the new file adds or corrects. How many shoppers this concerns is not counted. Products, prices, carts and orders are not affected.',
      `Whom to call about Acme Parts: ${ACME_CONTACT} Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
    ])
    const from = toLocalTime(at - 3 * MINUTE_MS).slice(0, 16)
    const text = await readText(`/audit?action=fitment.import&from=${from}&zone=America/Jamaica`)
    expectAll(text, [
      'Import fitment (which product fits which vehicle)',
      'Nothing imported',
      toClock(at),
      'fitment.csv',
    ])
    expectAll(text, [
      'bad lines 14',
      '--dry-run --all',
      'line 3: year &quot;20I0&quot; is not a year from 1900 to 2100',
      'and 4 more bad lines',
    ])
    expectAll(text, [
      'the import in use is still that of fitment-october.csv, of 7 Nov 2026,',
      '10 of 14 bad lines are named here, and all must be corrected. First, whoever runs Forecourt prints all 14 on its server (there, the account deploy ran the command): forecourt fitment import fitment.csv --merchant acme --mode live --dry-run --all. This changes nothing. Whoever made the file for Acme Parts corrects them.',
      'Then whoever runs Forecourt imports the file again there: forecourt fitment import fitment.csv --merchant acme --mode live.',
      `Whom to call about Acme Parts: ${ACME_CONTACT}`,
      `Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
    ])
    expectAll(await readText('/audit'), ['sam (support)'])
    expect(text).to.not.include('outcome refused').and.not.include('command line command')
    expectAll(await readText(around('/incidents?', at)), [
      `${toClock(at)} Failed: Import fitment (which product fits which vehicle) of Acme Parts (live)`,
    ])
    await writeAuditEntry(
      db,
      {
        ...{ operator: 'command line', role: 'command', action: 'fitment.import', address: null, outcome: 'done' },
        target: { merchant: 'acme', mode: 'live', source: 'fitment.csv' },
      },
      at + MINUTE_MS,
    )
    clock.ms += MINUTE_MS
    expect(await readText('/')).to.not.include('import failed')
  })
})
