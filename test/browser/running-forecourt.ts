import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapters } from '../../src/adapters.ts'
import { createPasswordHasher } from '../../src/commands/password-hasher.ts'
import type { Mode, SystemsConfig } from '../../src/config/config.ts'
import type { System } from '../../src/ports/system.ts'
import { type Forecourt, startForecourt } from '../../src/runtime/start.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { addOperator, type OperatorRole } from '../../src/storage/operators/operator-accounts.ts'
import { type ApiResponse, request, type SystemAddresses } from '../resilience/program-under-test.ts'
import { systemAddresses } from '../resilience/sandbox-systems.ts'
import { freePort } from '../support/free-port.ts'

export const PASSWORD = 'a long enough password'

/** One merchant over the embedded back office, whose systems are processes that a test may stop. */
export interface RunningForecourt extends AsyncDisposable {
  forecourt: Forecourt
  /** Of the operations pages. */
  address: string
  /** As a shopper in the live shop. */
  ask(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  /** SIGSTOP: it takes connections, and answers none. */
  freeze(system: System): void
  thaw(system: System): void
}

const MERCHANT = { merchant: 'acme', name: 'Acme Parts' }
const accounts = ['acme', 'acme-live']
const operators: readonly [name: string, role: OperatorRole][] = [
  ['ann', 'operator'],
  ['sam', 'support'],
]

/** The first long enough for a system that is well, on a slow machine; one that is stopped is waited for as long. */
const LIMITS = { timeoutMs: 10_000, deadlineMs: 20_000 }

export async function startRunningForecourt(limits = LIMITS): Promise<RunningForecourt> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-browser-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  const port = await freePort([0, 1])
  const backOffice = stack.use(
    await startSandbox({ directory, accounts, ports: { inventory: 0, pricing: 0, accounting: 0 } }),
  )
  const addresses = systemAddresses(backOffice.systems)
  const forecourt = stack.use(await startForecourt(partsOf(directory, addresses, [port, port + 1], limits)))
  await addOperators(forecourt)
  const { key } = await issueApiKey(forecourt.db, {
    merchant: 'acme',
    kind: 'publishable',
    mode: 'live',
    rate: 1_000_000,
  })
  const pidOf = (system: System) => backOffice.systems.find((one) => one.system === system)!.pid
  const running = stack.move()
  return {
    forecourt,
    address: forecourt.operationsAddress!,
    ask: (path, headers) => request(forecourt.address + path, key, headers && { headers }),
    freeze: (system) => void process.kill(pidOf(system), 'SIGSTOP'),
    thaw: (system) => void process.kill(pidOf(system), 'SIGCONT'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function partsOf(
  directory: string,
  addresses: SystemAddresses,
  [port, operationsPort]: [number, number],
  { timeoutMs, deadlineMs }: typeof LIMITS,
) {
  const systemsOf = (mode: Mode): SystemsConfig => {
    const account = mode === 'live' ? 'acme-live' : 'acme'
    const system = (name: System) => ({
      ...{ adapter: 'rest', address: `${addresses[name]}/${account}`, settings: { token: 'sandbox' } },
      ...{ limits: { timeoutMs }, maxResponseBytes: 16 * 1_048_576 },
    })
    return { inventory: system('inventory'), pricing: system('pricing'), accounting: system('accounting') }
  }
  const host = '127.0.0.1'
  const regional = { currency: 'JMD', timeZone: 'America/Jamaica', bands: { low: 5, hysteresis: 2 } }
  return {
    config: {
      ...{ listen: { host, port }, metrics: null, operations: { host, port: operationsPort, metrics: false } },
      ...{ dataDirectory: directory, store: `sqlite:${join(directory, 'forecourt.db')}` },
      ...{ log: { file: join(directory, 'forecourt.log'), level: 'info' }, cacheBytes: 64 * 1_048_576 },
      ...{ deadlineMs, webhooks: { keys: null, ports: [443], allow: [] }, feedIntervalMs: null },
      merchants: [{ ...MERCHANT, ...regional, live: systemsOf('live'), sandbox: systemsOf('sandbox') }],
    },
    adapters,
    embedded: () => systemsOf('sandbox'),
  }
}

async function addOperators({ db }: Forecourt): Promise<void> {
  const passwordHash = await createPasswordHasher().hash(PASSWORD)
  for (const [name, role] of operators) await addOperator(db, { name, role, passwordHash }, Date.now())
}
