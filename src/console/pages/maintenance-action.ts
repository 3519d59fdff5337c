import { createNotFound } from '../../errors.ts'
import type { HoldAndPurgeFollower } from '../../operations/hold-and-purge-follower.ts'
import { type CircuitName, toCircuitSystem } from '../../ports/circuit-name.ts'
import { MAX_MAINTENANCE_MS, startMaintenance } from '../../storage/operators/system-maintenance.ts'
import type { Tenant } from '../../tenant.ts'
import { type AuditedActionParts, createAuditedAction } from '../audited-action.ts'
import type { ConsolePage, ConsoleRequest } from '../console-page.ts'
import { createFormError } from '../form-body.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { parseLocalTime } from '../text/parse-local-time.ts'
import { CIRCUIT_PATH, toCircuitPath } from './circuit-page-path.ts'

interface MaintenanceActionParts extends AuditedActionParts {
  holdsAndPurges: Pick<HoldAndPurgeFollower, 'poll'>
  merchants: MerchantDirectory
}

type Params = ConsoleRequest['params']
type FindCircuit = (params: Params) => Tenant & { circuit: CircuitName }

/** Creates the action that begins planned maintenance of a system. Releasing its circuit ends it. */
export function createMaintenanceAction(parts: MaintenanceActionParts, requireCircuit: FindCircuit): ConsolePage {
  const { db, merchants, holdsAndPurges, now } = parts
  return createAuditedAction(parts, {
    path: `${CIRCUIT_PATH}/maintenance`,
    action: 'maintenance.start',
    readTarget: ({ params, form }) => ({ ...params, until: form.get('until') }),
    failurePath: ({ params }) => toPath(params),
    async run({ params, form, operator }) {
      const { merchant, mode, circuit } = requireCircuit(params)
      const system = toCircuitSystem(circuit)
      if (system !== circuit) throw createNotFound('system')
      const untilMs = parseUntil(form, merchants.timeZone(merchant), now())
      await startMaintenance(db, { merchant, mode, system, untilMs, by: operator.name }, now())
      await holdsAndPurges.poll()
      const { text } = merchants.time(untilMs, merchant)
      const message = `${system} of ${merchants.name(merchant)} (${mode}) is under planned maintenance until ${text}.`
      return { redirect: toPath(params), message }
    },
  })
}

/** The router guarantees that all three parameters are present. */
const toPath = (params: Params) => toCircuitPath(params as unknown as Parameters<typeof toCircuitPath>[0])

function parseUntil(form: URLSearchParams, timeZone: string, now: number): number {
  const untilMs = parseLocalTime(form.get('until'), timeZone)
  if (untilMs === null) throw createFormError('Enter the date and time at which the maintenance ends.')
  if (untilMs <= now) throw createFormError('The end of the maintenance is in the past.')
  if (untilMs > now + MAX_MAINTENANCE_MS) throw createFormError('Maintenance lasts seven days at most.')
  return untilMs
}
