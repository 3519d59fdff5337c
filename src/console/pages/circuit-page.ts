import { Problem } from '../../errors.ts'
import type { Directives } from '../../operations/override-follower.ts'
import type { Database } from '../../storage/database.ts'
import { addHold } from '../../storage/operators/overrides.ts'
import type { Offices } from '../../upstream/upstream-registry.ts'
import { type Auditing, acting } from '../audited-action.ts'
import { type CircuitAt, wayTo } from './circuit-paths.ts'
import { mistaken } from '../form-body.ts'
import type { Merchants } from '../merchant-directory.ts'
import { pillOf } from './now-page-view.ts'
import type { ConsolePage, Shown, Visit } from '../console-page.ts'
import { systemEffect } from '../text/section-text.ts'

const MINUTE_MS = 60_000
const MOST_MINUTES = 60

export interface CircuitPagesParts extends Auditing {
  db: Database
  offices: Pick<Offices, 'states'>
  directives: Pick<Directives, 'look'>
  merchants: Merchants
}

type Params = Visit['params']

/** The path has all three. */
const at = (params: Params) => params as unknown as CircuitAt

/** One circuit: how it is, and what an operator may do with it. */
export function circuitPages(parts: CircuitPagesParts): ConsolePage[] {
  const { db, offices, directives, merchants, now } = parts
  const stateOf = ({ merchant, mode, system }: Params) =>
    offices.states().find((one) => one.merchant === merchant && one.mode === mode && one.system === system)

  function known(params: Params) {
    const found = stateOf(params)
    if (!found) throw new Problem('not_found', 'There is no such circuit.')
    return found
  }

  async function say({ params, operator }: Visit, state: 'open' | 'closed' | null, minutes: number): Promise<void> {
    const { merchant, mode, system } = known(params)
    const said = { by: operator.name, now: now() }
    await addHold(db, { merchant, mode, system }, { ...said, state, untilMs: said.now + minutes * MINUTE_MS })
    await directives.look()
  }

  const page: ConsolePage = {
    ...{ method: 'GET', path: '/circuits/:merchant/:mode/:system', role: 'support', live: true },
    async answer({ params }): Promise<Shown> {
      const { merchant, mode, system, state, held } = known(params)
      const until = held && merchants.moment(held.untilMs, merchant)
      const shown = { pill: pillOf({ state, held, incidents: [], openIn: 1 }), held: held && { ...held, until } }
      const view = { ...shown, system, mode, shop: merchants.name(merchant), effect: systemEffect(system) }
      const way = wayTo(at(params))
      return { template: 'circuit', title: `Circuit of ${system}`, view: { ...view, way, minutes: [1, 5, 15, 30, 60] } }
    },
  }
  return [
    page,
    acting(parts, {
      ...{ path: '/circuits/:merchant/:mode/:system/hold', action: 'breaker.hold' },
      target: ({ params, form }) => ({ ...params, state: form.get('state'), minutes: form.get('minutes') }),
      back: ({ params }) => wayTo(at(params)),
      async act(visit) {
        const [state, minutes] = [stateIn(visit.form), minutesIn(visit.form)]
        await say(visit, state, minutes)
        const { system, mode } = visit.params
        const notice = `The circuit of ${system} of ${merchants.name(visit.params.merchant!)} (${mode}) is held ${state} for ${minutes} min.`
        return { redirect: wayTo(at(visit.params)), notice }
      },
    }),
    acting(parts, {
      ...{ path: '/circuits/:merchant/:mode/:system/release', action: 'breaker.release' },
      target: ({ params }) => ({ ...params }),
      back: ({ params }) => wayTo(at(params)),
      async act(visit) {
        await say(visit, null, 0)
        return {
          redirect: wayTo(at(visit.params)),
          notice: 'The circuit is let go: it opens and closes by itself again.',
        }
      },
    }),
  ]
}

function stateIn(form: URLSearchParams): 'open' | 'closed' {
  const state = form.get('state')
  if (state !== 'open' && state !== 'closed') throw mistaken('Say whether it is to be held open or closed.')
  return state
}

function minutesIn(form: URLSearchParams): number {
  const minutes = Number(form.get('minutes'))
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES)
    throw mistaken(`Give the minutes as a whole number from 1 to ${MOST_MINUTES}.`)
  return minutes
}
