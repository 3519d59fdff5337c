import Type from 'typebox'
import { Timestamp } from './schema-parts.ts'

export const SectionErrorEntry = Type.Object(
  {
    field: Type.String({ description: 'The section of the body that is missing or stale' }),
    code: Type.Enum([
      'downstream_timeout',
      'downstream_unavailable',
      'downstream_error',
      'downstream_rate_limited',
      'circuit_open',
      'invalid_downstream_response',
      'overloaded',
      'not_configured',
      'partial_result',
    ]),
    detail: Type.String(),
    stale: Type.Optional(Type.Boolean({ description: 'The section contains its last-good value' })),
    as_of: Type.Optional(Timestamp),
    retry_after_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { $id: 'SectionError' },
)

export const SectionErrors = Type.Array(SectionErrorEntry, {
  description: 'One entry for each section that is missing or stale; empty when all are current',
})

export const ProblemBody = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    request_id: Type.String(),
  },
  { $id: 'Problem', description: 'RFC 9457' },
)
