import { pino } from 'pino'
import { createAuditedAction } from '../../src/console/audited-action.ts'
import type { ConsolePage } from '../../src/console/console-page.ts'
import { Problem } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'

/** A text that no response may contain without a session. */
export const SECRET = 'internal detail'

export interface PageState {
  completedActions: string[]
  loggedLines: string[]
  text: string
  /** Makes pages hang. */
  shouldHang?: boolean
  isHanging?: boolean
}

/** Pages for the tests: a live page, one for operators only, JSON, failing pages and actions. */
export function createTestPages({ db, now }: { db: Database; now: () => number }, state: PageState): ConsolePage[] {
  const actionParts = { db, now, logger: pino({}, { write: (line) => void state.loggedLines.push(line) }) }
  const createAction = (path: string, run: () => Promise<void>) =>
    createAuditedAction(actionParts, {
      path,
      action: `test${path.replaceAll('/', '.')}`,
      readTarget: ({ form }) => ({ of: form.get('of') ?? 'nothing' }),
      failurePath: () => '/',
      async run({ form }) {
        await run()
        state.completedActions.push(path)
        return { redirect: form.get('way') ?? '/', message: `Done: ${form.get('of')}` }
      },
    })
  const respondWith = (title: string) => async () => {
    if (state.shouldHang) {
      state.isHanging = true
      await new Promise(() => {})
    }
    return { template: 'error', title, view: { message: `${state.text} ${SECRET}` } }
  }
  return [
    { method: 'GET', path: '/', role: 'support', isLive: true, respond: respondWith('Now') },
    { method: 'GET', path: '/plans', role: 'operator', respond: respondWith('Plans') },
    { method: 'GET', path: '/series/:id', role: 'support', respond: async () => ({ json: { secret: SECRET } }) },
    {
      method: 'GET',
      path: '/broken',
      role: 'support',
      respond: async () => {
        throw new Error(`the password is ${SECRET}`)
      },
    },
    {
      method: 'GET',
      path: '/missing',
      role: 'support',
      isLive: true,
      respond: async () => {
        throw new Problem('not_found')
      },
    },
    createAction('/act/done', async () => {}),
    createAction('/act/unaudited', async () => void (await db.schema.dropTable('audit_log').execute())),
    createAction('/act/refused', async () => {
      throw new Problem('subscription_disabled')
    }),
    createAction('/act/failed', async () => {
      throw new Error(`the password is ${SECRET}`)
    }),
  ]
}
