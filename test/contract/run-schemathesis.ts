import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '../../src/cli/print.ts'
import { type RunningDemo, startDemo } from '../support/openapi-examples/running-demo.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'

const VERSION = '4.32.5'
const environment = process.env.SCHEMATHESIS ?? join(tmpdir(), `schemathesis-${VERSION}`)
const { EXAMPLES = '5', SEED = '1' } = process.env

/** Returns the program, in a virtual environment that is created where there is none. */
function installSchemathesis(): string {
  const program = join(environment, 'bin/st')
  if (existsSync(program)) return program
  run('python3', ['-m', 'venv', environment])
  run(join(environment, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
  return program
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`)
}

/** Returns the headers of each kind of caller. */
async function createCallers(demo: RunningDemo): Promise<[name: string, headers: Record<string, string>][]> {
  const publishable = { Authorization: `Bearer ${await demo.issueKey('publishable')}` }
  const secret = { Authorization: `Bearer ${await demo.issueKey('secret')}` }
  const body = { email: 'parts@mobay-garage.example', password: 'sandbox-shopper-1' }
  const session = await sendHttpRequest(demo.address, '/v1/shoppers/login', { headers: secret, body })
  const shopper = { ...secret, 'X-Storefront-Shopper-Token': session.body.shopper_token as string }
  return [
    ['a publishable key', publishable],
    ['a secret key', secret],
    ['a secret key with a shopper token', shopper],
  ]
}

/** Sends generated requests to a demo, as each kind of caller, and checks the responses against the OpenAPI document, which is a file: Schemathesis gives up on a URL after ten seconds. */
async function testContract(document: string): Promise<void> {
  const program = installSchemathesis()
  await using demo = await startDemo()
  const env = { SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_hooks.py') }
  let failed = 0
  for (const [name, headers] of await createCallers(demo)) {
    print(`\n== Schemathesis with ${name}`)
    const options = [
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', document],
      ...['--url', demo.address, '--seed', SEED, '--max-examples', EXAMPLES, '--workers', '1', '--no-color'],
      ...['--exclude-path-regex', '^/(media|hooks)/', '--warnings', 'off'],
      // A busy machine is slow.
      ...['--request-timeout', '60'],
      ...Object.entries(headers).flatMap(([header, value]) => ['-H', `${header}: ${value}`]),
    ]
    try {
      run(program, options, env)
    } catch {
      failed += 1
    }
  }
  print(`\n  ${3 - failed} passing (${Math.round(performance.now() / 1_000)}s)`)
  if (failed > 0) process.exitCode = 1
}

await testContract(process.argv[2]!)
