import { startSandbox } from '../../src/sandbox/start-sandbox.ts'

/** A parent for back-office.test.ts to kill: it says where its children are. */
const [directory = ''] = process.argv.slice(2)
const ports = { inventory: 0, pricing: 0, accounting: 0 }
process.on('disconnect', () => process.exit())
const backOffice = await startSandbox({ directory, accounts: ['demo'], ports, only: ['pricing', 'accounting'] })
process.stdout.write(`${JSON.stringify(backOffice.systems)}\n`)
