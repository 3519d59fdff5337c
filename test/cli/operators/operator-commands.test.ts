import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { createPasswordHasher } from '../../../src/commands/password-hasher.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { findOperator, listOperators } from '../../../src/storage/operators/operator-accounts.ts'
import { addOperatorSession } from '../../../src/storage/operators/operator-sessions.ts'
import { commandEnv } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { AUDIT_LOG_TABLE, withoutAuditLog } from '../../support/without-audit-log.ts'

const main = resolve(import.meta.dirname, '../../../src/main.ts')
const PASSWORD = 'correct horse battery'

describe('forecourt operators', () => {
  const host = createCommandHost()
  let cwd: string
  let db: Database

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-operators-'))
    db = await openDatabase(`sqlite:${join(cwd, 'data', 'forecourt.db')}`)
  })
  afterEach(async () => {
    await db.destroy()
    await rm(cwd, { recursive: true, force: true })
  })

  after(() => host.stop())

  const operators = (...args: string[]) => host.run(['operators', ...args], { cwd, env: { PORT: '0' } })

  /** With something on standard input. */
  async function runWithInput(input: string, ...args: string[]) {
    const env = { ...commandEnv, FORECOURT_DATA: join(cwd, 'data'), PORT: '0' }
    const child = spawn(process.execPath, [main, 'operators', ...args], { cwd, env })
    let output = ''
    const hear = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.stdin.end(input)
    const [code] = await once(child, 'close')
    return { code, output }
  }

  const hasPassword = async (name: string, password: string) =>
    createPasswordHasher().matches(password, (await findOperator(db, name))!.password_hash)

  /** Somebody of that name is signed in. */
  async function addSession(name: string): Promise<void> {
    const { operator_id } = (await findOperator(db, name))!
    const times = { at: '2026-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' }
    await addOperatorSession(db, 'a-token', { operatorId: operator_id, csrf: 'c' }, times)
  }
  const sessions = () => db.selectFrom('operator_sessions').selectAll().execute()

  it('adds an account with a password from standard input, and stores only its argon2id hash', async () => {
    const { code, output } = await runWithInput(
      `${PASSWORD}\nignored\n`,
      'add',
      'ada',
      '--role',
      'support',
      '--password-stdin',
    )
    const store = join(cwd, 'data', 'forecourt.db')
    expect([code, output]).to.deep.equal([0, `ada can now sign in as support.\nStore: sqlite:${store}\n`])
    const record = (await findOperator(db, 'ada'))!
    expect(record.role).to.equal('support')
    expect(record.password_hash).to.match(/^\$argon2id\$/)
    expect(await hasPassword('ada', PASSWORD)).to.equal(true)
    expect(JSON.stringify(await listAuditLog(db, { limit: 9 }))).to.not.include(PASSWORD)
  })

  it('generates a password with --generate, and prints it once', async () => {
    const { code, out } = await operators('add', 'ben', '--role', 'operator', '--generate')
    expect(code).to.equal(0)
    const password = /^ {2}(\w{24})$/m.exec(out)![1]!
    expect(await hasPassword('ben', password)).to.equal(true)
    expect((await operators('list')).out)
      .to.match(/ben\s+operator\s.*never\s+enabled/)
      .and.not.include(password)
    expect((await operators('list', '--json')).out).to.not.include('argon2')
  })

  it('explains an invalid name, role or password, and exits 2', async () => {
    const cases: [string[], string][] = [
      [['add', 'Ada', '--role', 'support', '--generate'], 'lowercase letters'],
      [['add', '-', '--role', 'support', '--generate'], 'lowercase letters'],
      [['add', 'ada', '--role', 'admin', '--generate'], 'support or operator'],
      [['add', 'ada', '--role', 'support', '--generate', '--password-stdin'], 'not both'],
      [['add', 'ada', '--role', 'support'], '--password-stdin or --generate'],
      [['disable', 'ada'], 'no operator "ada"'],
      [['password', 'ada', '--generate'], 'no operator "ada"'],
    ]
    for (const [args, output] of cases) {
      const ran = await operators(...args)
      expect([ran.code, ran.err], args.join(' ')).to.satisfy(
        ([code, err]: [number, string]) => code === 2 && err.includes(output),
      )
    }
    const short = await runWithInput('short\n', 'add', 'ada', '--role', 'support', '--password-stdin')
    expect([short.code, short.output]).to.deep.equal([2, 'A password needs at least 12 characters; this one has 5\n'])
    const plain = await runWithInput('abababababab\n', 'add', 'ada', '--role', 'support', '--password-stdin')
    expect([plain.code, plain.output]).to.deep.equal([2, 'A password needs at least 5 different characters\n'])
    expect(await findOperator(db, 'ada')).to.equal(null)
  })

  it('changes nothing when the audit log cannot be written', async () => {
    await operators('add', 'ada', '--role', 'support', '--generate')
    await addSession('ada')
    const before = [await listOperators(db), await sessions()]
    await withoutAuditLog(db, async () => {
      for (const args of [
        ['add', 'ben', '--role', 'support', '--generate'],
        ['disable', 'ada'],
        ['role', 'ada', 'operator'],
        ['password', 'ada', '--generate'],
      ]) {
        const { code, out, err } = await operators(...args)
        expect([code, out], args[0]).to.deep.equal([1, ''])
        expect(err).to.include(AUDIT_LOG_TABLE)
      }
    })
    expect([await listOperators(db), await sessions()]).to.deep.equal(before)
  })

  it('lists none without a store, and creates no store', async () => {
    await db.destroy()
    await rm(join(cwd, 'data'), { recursive: true })
    expect(await operators('list', '--json')).to.include({ code: 0, out: '[]\n' })
    expect((await operators('disable', 'ada')).code).to.equal(2)
    expect(existsSync(join(cwd, 'data'))).to.equal(false)
  })

  it('ends the sessions of an account when it is disabled or gets a new password, and records every change', async () => {
    await operators('add', 'ada', '--role', 'support', '--generate')
    expect((await operators('add', 'ada', '--role', 'support', '--generate')).err).to.include(
      'Operator ada already exists',
    )
    await addSession('ada')
    expect((await operators('disable', 'ada')).out).to.include('signed out everywhere')
    expect([(await findOperator(db, 'ada'))!.disabled_at !== null, await sessions()]).to.deep.equal([true, []])
    await operators('enable', 'ada')
    expect((await findOperator(db, 'ada'))!.disabled_at).to.equal(null)
    await operators('role', 'ada', 'operator')
    await addSession('ada')
    const { output } = await runWithInput(`${PASSWORD}\n`, 'password', 'ada', '--password-stdin')
    expect(output).to.include('signed out everywhere')
    expect([(await findOperator(db, 'ada'))!.role, await sessions()]).to.deep.equal(['operator', []])
    expect(await hasPassword('ada', PASSWORD)).to.equal(true)
    const noted = (await listAuditLog(db, { limit: 9 })).map(({ operator, action, target }) => [
      operator,
      action,
      JSON.parse(target),
    ])
    const by = 'command line'
    const account = userInfo().username
    expect(noted.toReversed()).to.deep.equal([
      [by, 'operator.add', { name: 'ada', role: 'support', account }],
      [by, 'operator.disable', { name: 'ada', account }],
      [by, 'operator.enable', { name: 'ada', account }],
      [by, 'operator.role', { name: 'ada', role: 'operator', account }],
      [by, 'operator.password', { name: 'ada', account }],
    ])
  })
})
