import Type from 'typebox'
import { Timestamp } from './schema-parts.ts'

/** The OpenAPI document adds the codes of all problems. */
const ProblemCodeSchema = Type.String({ $id: 'ProblemCode', description: 'Codes may be added' })

export const ProblemBody = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: ProblemCodeSchema,
    request_id: Type.String(),
    until: Type.Optional(Timestamp),
  },
  { $id: 'Problem', description: 'RFC 9457. `detail` is a text; in a 422 it is a list, see HTTPValidationError' },
)
