import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapters } from '../../src/adapters.ts'
import { createPasswordHasher } from '../../src/commands/password-hasher.ts'
import type { SystemsConfig } from '../../src/config/system-config.ts'
import type { System } from '../../src/ports/system.ts'
import { type Forecourt, startForecourt } from '../../src/runtime/start.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { addOperator, type OperatorRole } from '../../src/storage/operators/operator-accounts.ts'
import type { Mode } from '../../src/tenant.ts'
import { type ApiResponse, sendRequest } from '../resilience/program-under-test.ts'
import { type SystemAddresses, systemAddresses } from '../resilience/system-addresses.ts'
import { freePort } from '../support/free-port.ts'

export const PASSWORD = 'a long enough password'

/** Forecourt with one merchant and the embedded back office, whose systems a test can freeze. */
export interface RunningForecourt extends AsyncDisposable {
  forecourt: Forecourt
  /** The URL of the operations pages. */
  address: string
  /** Sends an API request with the live publishable key. */
  request(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  /** Sends SIGSTOP: the system accepts connections but does not respond. */
  freeze(system: System): void
  thaw(system: System): void
}

const MERCHANT = { merchant: 'acme', name: 'Acme Parts' }
const accounts = ['acme', 'acme-live']
const operators: readonly [name: string, role: OperatorRole][] = [
  ['ann', 'operator'],
  ['sam', 'support'],
]

/** Long enough for a healthy system on a slow machine. A frozen system takes the full timeout. */
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
  const forecourt = stack.use(await startForecourt(createParts(directory, addresses, [port, port + 1], limits)))
  await addOperators(forecourt)
  const { key } = await issueApiKey(forecourt.db, {
    merchant: 'acme',
    kind: 'publishable',
    mode: 'live',
    rate: 1_000_000,
  })
  const findPid = (name: System) => backOffice.systems.find(({ system }) => system === name)!.pid
  const running = stack.move()
  return {
    forecourt,
    address: forecourt.operationsAddress!,
    request: (path, headers) => sendRequest(forecourt.address + path, key, headers && { headers }),
    freeze: (system) => void process.kill(findPid(system), 'SIGSTOP'),
    thaw: (system) => void process.kill(findPid(system), 'SIGCONT'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function createParts(
  directory: string,
  addresses: SystemAddresses,
  [port, operationsPort]: [number, number],
  { timeoutMs, deadlineMs }: typeof LIMITS,
) {
  const createSystems = (mode: Mode): SystemsConfig => {
    const account = mode === 'live' ? 'acme-live' : 'acme'
    const system = (name: System) => ({
      adapter: 'rest',
      address: `${addresses[name]}/${account}`,
      settings: { token: 'sandbox' },
      limits: { timeoutMs },
      maxResponseBytes: 16 * 1_048_576,
      contact: { name: 'Lee Wong', phone: '+1 876 555-0100', url: 'https://status.erp.example' },
    })
    return { inventory: system('inventory'), pricing: system('pricing'), accounting: system('accounting') }
  }
  const host = '127.0.0.1'
  const regional = { currency: 'JMD', timeZone: 'America/Jamaica', bands: { low: 5, hysteresis: 2 } }
  return {
    config: {
      listen: { host, port },
      metrics: null,
      operations: { host, port: operationsPort, metrics: false },
      dataDirectory: directory,
      store: `sqlite:${join(directory, 'forecourt.db')}`,
      log: { file: join(directory, 'forecourt.log'), level: 'info' },
      cacheBytes: 64 * 1_048_576,
      deadlineMs,
      webhooks: { keys: null, ports: [443], allow: [] },
      feedIntervalMs: null,
      merchants: [{ ...MERCHANT, ...regional, live: createSystems('live'), sandbox: createSystems('sandbox') }],
    },
    adapters,
    embeddedSystemsFor: () => createSystems('sandbox'),
  }
}

async function addOperators({ db }: Forecourt): Promise<void> {
  const passwordHash = await createPasswordHasher().hash(PASSWORD)
  for (const [name, role] of operators) await addOperator(db, { name, role, passwordHash }, Date.now())
}
