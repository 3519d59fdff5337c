import Type, { type Static } from 'typebox'
import { referenceKinds } from '../../ports/reference.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { listedProductMembers } from './product.ts'
import { referenceMembers } from './product-reference.ts'

const NumberMatchInfo = Type.Object(
  { kind: Type.Enum(['SKU', 'MPN', 'BARCODE', ...referenceKinds], { $id: 'NumberKind' }), ...referenceMembers },
  { $id: 'NumberMatch', description: 'Why a product was found, and the number as it is stored' },
)

export const LookupResult = Type.Object(
  {
    data: Type.Array(Type.Object({ ...listedProductMembers, match: NumberMatchInfo }, { $id: 'LookupItem' })),
    errors: SectionErrors,
  },
  { $id: 'LookupResult' },
)

export type NumberMatchInfo = Static<typeof NumberMatchInfo>
