import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import type { PortName } from '../../../src/ports/system.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import type { ExaminationContext } from './examination-context.ts'
import { type RequiredGroup, requiredGroups } from './required-groups.ts'

const Flag = responseSchema(Type.Boolean())
const UserContext = responseSchema(Type.Object({ uid: Type.Integer() }))
const Fields = responseSchema(Type.Record(Type.String(), Type.Unknown()))

/** Operations that the user should not be able to do. */
const excessive: [model: string, operation: string][] = [
  ['product.template', 'write'],
  ['product.pricelist.item', 'write'],
  ['account.move', 'write'],
  ['res.users', 'create'],
]

/** Checks that the user has each right that the ports need, and notes which further operations it could do. */
export async function checkRights(context: ExaminationContext): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  const missingModels = new Set<string>()
  for (const group of requiredGroups) {
    if (!hasAnySystem(context, ...group.systems)) continue
    const { missing, absentModels } = await findMissingRights(context, group)
    for (const model of absentModels) missingModels.add(model)
    if (missing.length > 0) findings.push(toMissingRights(group, missing))
    else if (absentModels.length === 0 && !(await isMember(context, group))) findings.push(toMissingGroup(group))
  }
  for (const [model, operation] of excessive)
    if (await mayDo(context, model, operation)) findings.push(toExcessiveRight(model, operation))
  return [...[...missingModels].map(toMissingModel), ...findings]
}

/** Returns the rights that the user lacks, in words, and the models that this Odoo does not have. */
async function findMissingRights(context: ExaminationContext, { rights, fields }: RequiredGroup) {
  const hasSystem = ([systems]: [PortName[], ...unknown[]]) => hasAnySystem(context, ...systems)
  const missing: string[] = []
  const absentModels: string[] = []
  for (const [, model, operation] of rights.filter(hasSystem)) {
    const allowed = await mayDo(context, model, operation)
    if (allowed === null) absentModels.push(model)
    else if (!allowed) missing.push(`${operation} ${model}`)
  }
  for (const [, model, field] of fields.filter(hasSystem)) {
    if (absentModels.includes(model) || missing.includes(`read ${model}`)) continue
    // Odoo leaves out fields that the user may not read.
    const args = { allfields: [field], attributes: ['type'] }
    const readable = await context.rpc.call(Fields, `${model}/fields_get`, args, context.call())
    if (!(field in readable)) missing.push(`read ${field} of ${model}`)
  }
  return { missing, absentModels }
}

/** Returns `null` if the model is missing, and its module with it. */
async function mayDo({ rpc, call }: ExaminationContext, model: string, operation: string): Promise<boolean | null> {
  try {
    return await rpc.call(Flag, `${model}/has_access`, { operation }, call())
  } catch (error) {
    if (error instanceof UpstreamError && error.failure === 'not_configured') return null
    throw error
  }
}

async function isMember({ rpc, call }: ExaminationContext, { id }: RequiredGroup): Promise<boolean> {
  const { uid } = await rpc.call(UserContext, 'res.users/context_get', {}, call())
  return rpc.call(Flag, 'res.users/has_group', { ids: [uid], group_ext_id: id }, call())
}

const toMissingModel = (model: string) =>
  createFinding(
    'error',
    'module',
    `Odoo does not have ${model}`,
    'Install the apps Sales, Inventory and Invoicing in Odoo',
  )

const toMissingRights = ({ name }: RequiredGroup, missing: readonly string[]) =>
  createFinding(
    'error',
    'right',
    `the user may not ${missing.join(', ')}`,
    `Give the user the group "${name}" in Odoo (Settings > Users)`,
  )

const toMissingGroup = ({ name, purpose }: RequiredGroup) =>
  createFinding(
    'warning',
    'group',
    `the user is not in the group "${name}" (for ${purpose}): other groups give the user the same rights, so the user loses the rights when it leaves those groups`,
    `Give the user the group "${name}" in Odoo (Settings > Users)`,
  )

const toExcessiveRight = (model: string, operation: string) =>
  createFinding(
    'note',
    'excessive_right',
    `the user may ${operation} ${model}, which Forecourt never does`,
    'Remove the user from the group with this right: docs/odoo.md lists the groups that it needs',
  )
