import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { createNotFound } from '../../errors.ts'
import type { HoldAndPurgeFollower } from '../../operations/hold-and-purge-follower.ts'
import { type CircuitName, circuitsOf, toCircuitSystem } from '../../ports/circuit-name.ts'
import { addCircuitHold } from '../../storage/operators/holds-and-purges.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage, ConsoleRequest, TemplateResponse } from '../console-page.ts'
import { createFormError } from '../form-body.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatLocalTime } from '../text/format-times.ts'
import { describeSystemEffect } from '../text/section-text.ts'
import { type CircuitPathParams, CIRCUIT_PATH as PATH, toCircuitPath } from './circuit-page-path.ts'
import { createMaintenanceAction } from './maintenance-action.ts'
import { toSystemPill } from './status-pill.ts'

const MINUTE_MS = 60_000
const MAX_HOLD_MINUTES = 60
const HOLD_MINUTES = [1, 5, 15, 30, 60]
const USUAL_MAINTENANCE_MS = 60 * MINUTE_MS

export interface CircuitPagesParts extends AuditedActionParts {
  upstreams: Pick<UpstreamRegistry, 'states'>
  holdsAndPurges: Pick<HoldAndPurgeFollower, 'poll'>
  merchants: MerchantDirectory
}

type Params = ConsoleRequest['params']

/** Creates the page of a circuit, and the actions that hold and release it. */
export function createCircuitPages(parts: CircuitPagesParts): ConsolePage[] {
  const { merchants } = parts

  const statusPage: ConsolePage = {
    method: 'GET',
    path: PATH,
    role: 'support',
    isLive: true,
    async respond({ params }): Promise<TemplateResponse> {
      const { merchant, mode, circuit, state, held } = requireCircuit(parts, params)
      const view = {
        pill: toSystemPill({ state, held, incidents: [], openIn: 1, calls: 0 }),
        hold: held && {
          by: held.by,
          until: merchants.time(held.untilMs, merchant),
          isMaintenance: held.isMaintenance === true,
        },
        maintenance: circuit === toCircuitSystem(circuit) && {
          timeZone: merchants.timeZone(merchant),
          until: formatLocalTime(parts.now() + USUAL_MAINTENANCE_MS, merchants.timeZone(merchant)),
        },
        name: nameSystem(circuit),
        calls: circuit === toCircuitSystem(circuit) ? `calls to ${circuit}` : 'searches',
        includesSearches: circuitsToHold(circuit).length > 1,
        mode,
        merchantName: merchants.name(merchant),
        effect: describeSystemEffect(circuit),
        path: toPath(params),
        holdMinutes: HOLD_MINUTES,
      }
      return { template: 'circuit', title: `Calls to ${nameSystem(circuit)}`, view }
    },
  }

  const holdAction = createAuditedAction(parts, {
    path: `${PATH}/hold`,
    action: 'breaker.hold',
    readTarget: ({ params, form }) => ({ ...params, state: form.get('state'), minutes: form.get('minutes') }),
    failurePath: ({ params }) => toPath(params),
    async run(request) {
      const { params, form } = request
      const state = parseHoldState(form)
      const minutes = parseHoldMinutes(form)
      await writeHold(parts, request, { state, minutes })
      const merchantName = merchants.name(params.merchant!)
      const verb = state === 'open' ? 'stopped' : 'forced'
      const message = `Calls to ${nameSystem(params.circuit!)} of ${merchantName} (${params.mode}) are ${verb} for ${minutes} min.`
      return { redirect: toPath(params), message }
    },
  })

  const releaseAction = createAuditedAction(parts, {
    path: `${PATH}/release`,
    action: 'breaker.release',
    readTarget: ({ params }) => ({ ...params }),
    failurePath: ({ params }) => toPath(params),
    async run(request) {
      await writeHold(parts, request, { state: null, minutes: 0 })
      const message = 'Forecourt decides again by itself whether calls are made.'
      return { redirect: toPath(request.params), message }
    },
  })

  return [
    statusPage,
    holdAction,
    createMaintenanceAction(parts, (params) => requireCircuit(parts, params)),
    releaseAction,
  ]
}

/** The router guarantees that all three parameters are present. */
const toPath = (params: Params) => toCircuitPath(params as unknown as CircuitPathParams)

function requireCircuit({ upstreams }: CircuitPagesParts, { merchant, mode, circuit }: Params) {
  const found = upstreams
    .states()
    .find((state) => state.merchant === merchant && state.mode === mode && state.circuit === circuit)
  if (!found) throw createNotFound('circuit')
  return found
}

/** A hold of a system includes all calls to it. A hold of its searches includes only those. */
const circuitsToHold = (circuit: CircuitName): CircuitName[] =>
  circuit === toCircuitSystem(circuit) ? circuitsOf(circuit) : [circuit]

/** Stores a hold for every process and applies it in this one. `state` null releases the circuit. */
async function writeHold(
  parts: CircuitPagesParts,
  { params, operator }: ConsoleRequest,
  { state, minutes }: { state: 'open' | 'closed' | null; minutes: number },
): Promise<void> {
  const { merchant, mode, circuit } = requireCircuit(parts, params)
  const now = parts.now()
  const hold = { state, by: operator.name, now, untilMs: now + minutes * MINUTE_MS }
  for (const held of circuitsToHold(circuit)) await addCircuitHold(parts.db, { merchant, mode, circuit: held }, hold)
  await parts.holdsAndPurges.poll()
}

function parseHoldState(form: URLSearchParams): 'open' | 'closed' {
  const state = form.get('state')
  if (state !== 'open' && state !== 'closed') throw createFormError('Choose whether to stop or to force calls.')
  return state
}

function parseHoldMinutes(form: URLSearchParams): number {
  const minutes = Number(form.get('minutes'))
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_HOLD_MINUTES)
    throw createFormError(`Enter the minutes as a whole number from 1 to ${MAX_HOLD_MINUTES}.`)
  return minutes
}
