import { startBackOffice } from '../../src/sandbox/start-sandbox.ts'

/** A parent for back-office.test.ts to kill: it says where its children are. */
const [directory = ''] = process.argv.slice(2)
const ports = { inventory: 0, pricing: 0, accounting: 0 }
process.on('disconnect', () => process.exit())
const office = await startBackOffice({ directory, accounts: ['demo'], ports, only: ['pricing', 'accounting'] })
process.stdout.write(`${JSON.stringify(office.systems)}\n`)
