import Type from 'typebox'
import { Timestamp } from './schema-parts.ts'
import { sectionErrorCodes } from './section-error-codes.ts'

/** The OpenAPI document adds the names of all sections. */
const SectionField = Type.String({
  $id: 'SectionField',
  description: 'The section of the body that is missing, stale or incomplete',
})

export const SectionErrorEntry = Type.Object(
  {
    field: SectionField,
    code: Type.Enum(Object.keys(sectionErrorCodes), { $id: 'SectionErrorCode', description: 'Codes may be added' }),
    detail: Type.String(),
    stale: Type.Optional(Type.Boolean({ description: 'The section contains its last-good value' })),
    as_of: Type.Optional(Timestamp),
    retry_after_ms: Type.Optional(Type.Integer({ minimum: 0 })),
    until: Type.Optional(Timestamp),
  },
  { $id: 'SectionError' },
)

export const SectionErrors = Type.Array(SectionErrorEntry, {
  description: 'One entry for each section that is missing, stale or incomplete; empty when all are current',
})
