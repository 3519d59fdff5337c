import { Type } from 'typebox'
import { abbreviateList } from '../../../src/doctor/abbreviate-list.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import {
  type AccessRight,
  ADMINISTRATION_MODELS,
  excessiveRights,
  requiredButtons,
  requiredRights,
} from './account-rights.ts'
import type { LoginAccount } from './check-login.ts'
import type { ExaminationContext } from './examination-context.ts'
import { modelNameField } from './model-name-field.ts'

const Models = responseSchema(
  Type.Array(Type.Object({ model: Type.Optional(Type.String()), name: Type.Optional(Type.String()) })),
)
const Rights = Type.Object({ read: TrytonBoolean, write: TrytonBoolean, create: TrytonBoolean, delete: TrytonBoolean })
const Access = responseSchema(Type.Record(Type.String(), Rights))
const Buttons = responseSchema(
  Type.Array(
    Type.Object({
      name: Type.String(),
      groups: Type.Array(TrytonId),
      model: Type.Optional(Type.String()),
      'model.': Type.Optional(Type.Object({ model: Type.String() })),
    }),
  ),
)
type Access = ReturnType<typeof Access.parse>

/**
 * Reports rights that the account lacks, and rights that it should not have. Tryton lists the rights of an account, so
 * nothing is tried.
 */
export async function checkRights(context: ExaminationContext, account: LoginAccount): Promise<DoctorFinding[]> {
  const required = requiredRights.filter(
    ({ systems, since = 0 }) => hasAnySystem(context, ...systems) && context.series >= since,
  )
  const models = [
    ...required.flatMap(({ models }) => models),
    ...excessiveRights.map(({ model }) => model),
    ...ADMINISTRATION_MODELS,
    ...requiredButtons.map(({ model }) => model),
  ]
  const access = await readAccess([...new Set(models)], context)
  const missingRights = required.flatMap(({ models, rights, purpose }) =>
    models.flatMap((model) => findMissingRights(model, rights, purpose, access, context)),
  )
  const merged = [...new Map(missingRights.map((finding) => [finding.check, finding])).values()]
  const buttonFindings = hasAnySystem(context, 'accounting') ? await checkButtons(context, account, access) : []
  return [...merged, ...buttonFindings, ...findExcessiveRights(access, context)]
}

/** Reads the access to models that exist; missing modules are reported by another check. */
async function readAccess(models: readonly string[], { rpc, call, series }: ExaminationContext): Promise<Access> {
  const field = modelNameField(series)
  const params = [[[field, 'in', models]], 0, null, null, [field]]
  const existing = await rpc(Models, 'ir.model.search_read', params, call())
  return rpc(Access, 'ir.model.access.get_access', [existing.map((row) => row[field]!)], call())
}

function findMissingRights(
  model: string,
  rights: readonly AccessRight[],
  purpose: string,
  access: Access,
  context: ExaminationContext,
): DoctorFinding[] {
  const granted = access[model]
  const missing = granted ? rights.filter((right) => !granted[right]) : []
  if (missing.length === 0) return []
  const description = missing.join(', ')
  return [
    createFinding(
      'error',
      `right ${model}`,
      `the account ${context.settings.user} may not ${description} ${model}: needed for ${purpose}`,
      `In Tryton, give a group of the account "${description}" on ${model} (Administration > Models > Model Access); it takes effect within five minutes`,
    ),
  ]
}

/** Reports required buttons that the account may not press. A button without groups needs write access to its model. */
async function checkButtons(
  context: ExaminationContext,
  { groups }: LoginAccount,
  access: Access,
): Promise<DoctorFinding[]> {
  // Up to 7.0, a button refers to its model; later, it has the name of the model.
  const path = context.series < 7.2 ? 'model.model' : 'model'
  const domain = [[path, 'in', requiredButtons.map(({ model }) => model)]]
  const params = [domain, 0, null, null, ['name', 'groups', path]]
  const rows = await context.rpc(Buttons, 'ir.model.button.search_read', params, context.call())
  return requiredButtons.flatMap(({ model, names, purpose }) => {
    if (!access[model]) return []
    const forbidden = names.filter((name) => {
      const button = rows.find((row) => row.name === name && (row['model.']?.model ?? row.model) === model)
      if (!button || button.groups.length === 0) return !access[model]!.write
      return !button.groups.some((group) => groups.includes(group))
    })
    return forbidden.map((name) =>
      createFinding(
        'error',
        `button ${model}.${name}`,
        `the account ${context.settings.user} may not use the button "${name}" of ${model}: needed for ${purpose}`,
        `In Tryton, add a group of the account to the button ${name} of ${model} (Administration > Models > Models > Buttons)`,
      ),
    )
  })
}

function findExcessiveRights(access: Access, { settings }: ExaminationContext): DoctorFinding[] {
  const remedy = `Create a separate account for the storefront, in a group with only the rights that it needs, and set {path}.user`
  if (ADMINISTRATION_MODELS.some((model) => access[model]?.write)) {
    const description = `the account ${settings.user} administers Tryton: anyone with its password has full access`
    return [createFinding('warning', 'administrator', description, remedy)]
  }
  const excessive = excessiveRights.flatMap(({ model, rights }) =>
    rights.filter((right) => access[model]?.[right]).map((right) => `${right} ${model}`),
  )
  if (excessive.length === 0) return []
  return [
    createFinding(
      'warning',
      'rights_too_wide',
      `the account ${settings.user} may do more than it needs: ${abbreviateList(excessive)}`,
      remedy,
    ),
  ]
}
