import Type from 'typebox'
import { Nullable } from '../schema-parts.ts'

export const fitmentMembers = {
  positions: Type.Array(Type.String()),
  quantity: Nullable(Type.Number()),
  notes: Nullable(Type.String()),
  qualifiers: Type.Array(Type.Object({ code: Type.String(), text: Type.String() }, { $id: 'FitmentQualifier' })),
}

/** How a product fits one vehicle. */
export const FitmentSchema = Type.Object({ ...fitmentMembers, universal: Type.Boolean() }, { $id: 'Fitment' })
