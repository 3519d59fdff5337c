import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import type { PortName } from '../../../src/ports/system.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding, hasAnySystem } from '../../doctor-findings.ts'
import type { ExaminationContext } from './examination-context.ts'

const Allowed = responseSchema(Type.Boolean())

/** The rights that each port needs, with the group of Odoo that has them. */
const rights: [systems: PortName[], model: string, operation: 'read' | 'create' | 'write', group: string][] = [
  [['inventory', 'pricing', 'accounting'], 'product.product', 'read', 'Internal User'],
  [['inventory'], 'stock.quant', 'read', 'Inventory: User'],
  [['inventory'], 'stock.location', 'read', 'Inventory: User'],
  [['inventory', 'accounting'], 'stock.move', 'read', 'Inventory: User'],
  [['pricing', 'accounting'], 'product.pricelist.item', 'read', 'Sales: User: All Documents'],
  [['pricing', 'accounting'], 'account.tax', 'read', 'Show Accounting Features - Readonly'],
  [['accounting'], 'account.move', 'read', 'Show Accounting Features - Readonly'],
  [['accounting'], 'res.partner', 'create', 'Contact Creation'],
  [['accounting'], 'sale.order', 'create', 'Sales: User: All Documents'],
  [['accounting'], 'stock.picking', 'write', 'Inventory: User'],
]
/** Operations that the user should not be able to do. */
const excessive: [model: string, operation: string][] = [
  ['product.template', 'write'],
  ['product.pricelist.item', 'write'],
  ['account.move', 'write'],
  ['res.users', 'create'],
]

/** Checks that the user has each right that the ports need, and notes which further operations it could do. */
export async function checkRights(context: ExaminationContext): Promise<DoctorFinding[]> {
  const mayDo = async (model: string, operation: string) => {
    try {
      return await context.rpc.call(Allowed, `${model}/has_access`, { operation }, context.call())
    } catch (error) {
      // The model is missing, and its module with it.
      if (error instanceof UpstreamError && error.failure === 'not_configured') return null
      throw error
    }
  }
  const findings: DoctorFinding[] = []
  for (const [systems, model, operation, group] of rights) {
    if (!hasAnySystem(context, ...systems)) continue
    const allowed = await mayDo(model, operation)
    if (allowed === null) findings.push(toMissingModel(model))
    else if (!allowed) findings.push(toMissingRight(model, operation, group))
  }
  for (const [model, operation] of excessive)
    if (await mayDo(model, operation)) findings.push(toExcessiveRight(model, operation))
  return findings
}

const toMissingModel = (model: string) =>
  createFinding(
    'error',
    'module',
    `Odoo does not have ${model}`,
    'Install the apps Sales, Inventory and Invoicing in Odoo',
  )

const toMissingRight = (model: string, operation: string, group: string) =>
  createFinding(
    'error',
    'right',
    `the user may not ${operation} ${model}`,
    `Give the user the group "${group}" in Odoo`,
  )

const toExcessiveRight = (model: string, operation: string) =>
  createFinding(
    'note',
    'excessive_right',
    `the user may ${operation} ${model}, which Forecourt never does`,
    'Remove the user from the group with this right: docs/odoo.md lists the groups that it needs',
  )
