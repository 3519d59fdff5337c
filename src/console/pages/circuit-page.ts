import { Problem } from '../../errors.ts'
import type { OverrideFollower } from '../../operations/override-follower.ts'
import type { Database } from '../../storage/database.ts'
import { addCircuitHold } from '../../storage/operators/overrides.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage, ConsoleRequest, TemplateResponse } from '../console-page.ts'
import { createFormError } from '../form-body.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { describeSystemEffect } from '../text/section-text.ts'
import { type CircuitPathParams, toCircuitPath } from './circuit-paths.ts'
import { toSystemPill } from './now-page-view.ts'

const MINUTE_MS = 60_000
const MOST_MINUTES = 60

export interface CircuitPagesParts extends AuditedActionParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'states'>
  directives: Pick<OverrideFollower, 'poll'>
  merchants: MerchantDirectory
}

type Params = ConsoleRequest['params']

/** The path has all three. */
const at = (params: Params) => params as unknown as CircuitPathParams

/** One circuit: how it is, and what an operator may do with it. */
export function createCircuitPages(parts: CircuitPagesParts): ConsolePage[] {
  const { db, upstreams, directives, merchants, now } = parts
  const stateOf = ({ merchant, mode, system }: Params) =>
    upstreams.states().find((one) => one.merchant === merchant && one.mode === mode && one.system === system)

  function known(params: Params) {
    const found = stateOf(params)
    if (!found) throw new Problem('not_found', 'There is no such circuit.')
    return found
  }

  async function say(
    { params, operator }: ConsoleRequest,
    state: 'open' | 'closed' | null,
    minutes: number,
  ): Promise<void> {
    const { merchant, mode, system } = known(params)
    const said = { by: operator.name, now: now() }
    await addCircuitHold(db, { merchant, mode, system }, { ...said, state, untilMs: said.now + minutes * MINUTE_MS })
    await directives.poll()
  }

  const page: ConsolePage = {
    ...{ method: 'GET', path: '/circuits/:merchant/:mode/:system', role: 'support', live: true },
    async answer({ params }): Promise<TemplateResponse> {
      const { merchant, mode, system, state, held } = known(params)
      const until = held && merchants.moment(held.untilMs, merchant)
      const shown = { pill: toSystemPill({ state, held, incidents: [], openIn: 1 }), held: held && { ...held, until } }
      const view = { ...shown, system, mode, shop: merchants.name(merchant), effect: describeSystemEffect(system) }
      const way = toCircuitPath(at(params))
      return { template: 'circuit', title: `Circuit of ${system}`, view: { ...view, way, minutes: [1, 5, 15, 30, 60] } }
    },
  }
  return [
    page,
    createAuditedAction(parts, {
      ...{ path: '/circuits/:merchant/:mode/:system/hold', action: 'breaker.hold' },
      target: ({ params, form }) => ({ ...params, state: form.get('state'), minutes: form.get('minutes') }),
      back: ({ params }) => toCircuitPath(at(params)),
      async act(visit) {
        const [state, minutes] = [stateIn(visit.form), minutesIn(visit.form)]
        await say(visit, state, minutes)
        const { system, mode } = visit.params
        const notice = `The circuit of ${system} of ${merchants.name(visit.params.merchant!)} (${mode}) is held ${state} for ${minutes} min.`
        return { redirect: toCircuitPath(at(visit.params)), notice }
      },
    }),
    createAuditedAction(parts, {
      ...{ path: '/circuits/:merchant/:mode/:system/release', action: 'breaker.release' },
      target: ({ params }) => ({ ...params }),
      back: ({ params }) => toCircuitPath(at(params)),
      async act(visit) {
        await say(visit, null, 0)
        return {
          redirect: toCircuitPath(at(visit.params)),
          notice: 'The circuit is let go: it opens and closes by itself again.',
        }
      },
    }),
  ]
}

function stateIn(form: URLSearchParams): 'open' | 'closed' {
  const state = form.get('state')
  if (state !== 'open' && state !== 'closed') throw createFormError('Say whether it is to be held open or closed.')
  return state
}

function minutesIn(form: URLSearchParams): number {
  const minutes = Number(form.get('minutes'))
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES)
    throw createFormError(`Give the minutes as a whole number from 1 to ${MOST_MINUTES}.`)
  return minutes
}
