import { Type } from 'typebox'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import { type CheckContext, createFinding, formatNameList, hasAnySystem } from './check.ts'
import type { LoginAccount } from './check-login.ts'
import {
  type AccessRight,
  ADMINISTRATION_MODELS,
  excessiveRights,
  requiredButtons,
  requiredRights,
} from './required-rights.ts'

const Models = responseSchema(Type.Array(Type.Object({ model: Type.String() })))
const Rights = Type.Object({ read: TrytonBoolean, write: TrytonBoolean, create: TrytonBoolean, delete: TrytonBoolean })
const Access = responseSchema(Type.Record(Type.String(), Rights))
const Buttons = responseSchema(
  Type.Array(
    Type.Object({
      name: Type.String(),
      groups: Type.Array(TrytonId),
      'model.': Type.Object({ model: Type.String() }),
    }),
  ),
)
type Access = ReturnType<typeof Access.parse>

/** Which rights the account lacks, and which it should not have. Tryton tells an account its own rights: nothing is tried. */
export async function checkRights(looker: CheckContext, account: LoginAccount): Promise<Finding[]> {
  const own = requiredRights.filter(({ systems }) => hasAnySystem(looker, ...systems))
  const asked = [
    ...own.flatMap(({ models }) => models),
    ...excessiveRights.map(({ model }) => model),
    ...ADMINISTRATION_MODELS,
    ...requiredButtons.map(({ model }) => model),
  ]
  const access = await accessOf([...new Set(asked)], looker)
  const lacking = own.flatMap(({ models, rights, for: purpose }) =>
    models.flatMap((model) => lackOf(model, rights, purpose, access, looker)),
  )
  const merged = [...new Map(lacking.map((one) => [one.check, one])).values()]
  const pressed = hasAnySystem(looker, 'accounting') ? await lookAtButtons(looker, account, access) : []
  return [...merged, ...pressed, ...excess(access, looker)]
}

/** Of models that are there: a module may be missing, which is told of elsewhere. */
async function accessOf(models: readonly string[], { rpc, call }: CheckContext): Promise<Access> {
  const params = [[['model', 'in', models]], 0, null, null, ['model']]
  const there = await rpc(Models, 'ir.model.search_read', params, call())
  return rpc(Access, 'ir.model.access.get_access', [there.map(({ model }) => model)], call())
}

function lackOf(
  model: string,
  rights: readonly AccessRight[],
  purpose: string,
  access: Access,
  looker: CheckContext,
): Finding[] {
  const has = access[model]
  const missing = has ? rights.filter((right) => !has[right]) : []
  if (missing.length === 0) return []
  const said = missing.join(', ')
  return [
    createFinding(
      'error',
      `right ${model}`,
      `the account ${looker.settings.user} may not ${said} ${model}: needed for ${purpose}`,
      `In Tryton, give a group of the account "${said}" on ${model} (Administration > Models > Model Access); its processes notice within five minutes`,
    ),
  ]
}

/** A button without groups may be pressed by whoever may write its model. */
async function lookAtButtons(looker: CheckContext, { groups }: LoginAccount, access: Access): Promise<Finding[]> {
  const params = [
    [['model.model', 'in', requiredButtons.map(({ model }) => model)]],
    ...[0, null, null, ['name', 'groups', 'model.model']],
  ]
  const rows = await looker.rpc(Buttons, 'ir.model.button.search_read', params, looker.call())
  return requiredButtons.flatMap(({ model, names, for: purpose }) => {
    if (!access[model]) return []
    const barred = names.filter((name) => {
      const button = rows.find((row) => row.name === name && row['model.'].model === model)
      if (!button || button.groups.length === 0) return !access[model]!.write
      return !button.groups.some((group) => groups.includes(group))
    })
    return barred.map((name) =>
      createFinding(
        'error',
        `button ${model}.${name}`,
        `the account ${looker.settings.user} may not press "${name}" of ${model}: needed for ${purpose}`,
        `In Tryton, add a group of the account to the button ${name} of ${model} (Administration > Models > Models > Buttons)`,
      ),
    )
  })
}

function excess(access: Access, { settings }: CheckContext): Finding[] {
  const remedy = `Make an account for the storefront alone, in a group that has the rights it needs and no other, and give it in {path}.user`
  if (ADMINISTRATION_MODELS.some((model) => access[model]?.write)) {
    const said = `the account ${settings.user} administers Tryton: whoever learns its password has everything`
    return [createFinding('warning', 'administrator', said, remedy)]
  }
  const wide = excessiveRights.flatMap(({ model, rights }) =>
    rights.filter((right) => access[model]?.[right]).map((right) => `${right} ${model}`),
  )
  if (wide.length === 0) return []
  return [
    createFinding(
      'warning',
      'rights_too_wide',
      `the account ${settings.user} may do more than it needs: ${formatNameList(wide)}`,
      remedy,
    ),
  ]
}
