import { startSandbox } from '../../src/sandbox/start-sandbox.ts'

/** A parent process for start-sandbox.test.ts to kill. Prints the addresses of its children. */
const [directory = ''] = process.argv.slice(2)
const ports = { inventory: 0, pricing: 0, accounting: 0 }
process.on('disconnect', () => process.exit())
const sandbox = await startSandbox({ directory, accounts: ['demo'], ports, only: ['pricing', 'accounting'] })
process.stdout.write(`${JSON.stringify(sandbox.systems)}\n`)
