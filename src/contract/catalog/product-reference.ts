import Type, { type Static } from 'typebox'
import { referenceKinds } from '../../ports/reference.ts'
import { Nullable } from '../schema-parts.ts'
import { AvailabilitySummary } from './availability.ts'
import { PriceInfo } from './price-info.ts'

export const referenceMembers = {
  brand: Nullable(Type.String({ description: 'The brand that uses the number' })),
  number: Type.String(),
}
export const Reference = Type.Object(
  { kind: Type.Enum([...referenceKinds], { $id: 'ReferenceKind' }), ...referenceMembers },
  { $id: 'Reference' },
)

export const Alternative = Type.Object(
  {
    sku: Type.String(),
    name: Type.String(),
    relation: Type.Enum(['SUPERSEDED_BY', 'OEM', 'CROSS'], {
      $id: 'AlternativeRelation',
      description: 'SUPERSEDED_BY: it replaces this product. OEM, CROSS: both have such a number in common',
    }),
    price: Nullable(PriceInfo),
    availability: Nullable(AvailabilitySummary),
  },
  { $id: 'Alternative' },
)

export type Alternative = Static<typeof Alternative>
