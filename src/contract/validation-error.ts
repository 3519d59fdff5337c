import { type Static, Type } from 'typebox'

/** One error in a request, as FastAPI reports it: `loc` is the path to the member, `input` its value. */
export const ValidationItem = Type.Object(
  {
    type: Type.String({ title: 'Error Type', description: 'A machine-readable type: `missing`, `int_parsing` …' }),
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      title: 'Location',
      description: 'Starts with `path`, `query`, `header` or `body`.',
    }),
    msg: Type.String({ title: 'Message', description: 'A message for people.' }),
    input: Type.Optional(
      Type.Unknown({
        title: 'Input',
        description: 'The value that was sent: at most 256 characters, and omitted where it is secret.',
      }),
    ),
    ctx: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { title: 'Context', description: 'The limits in `msg`.' }),
    ),
  },
  { $id: 'ValidationError', title: 'ValidationError' },
)

/** The body of every 422. */
export const HTTPValidationError = Type.Object(
  { detail: Type.Array(ValidationItem, { title: 'Detail', minItems: 1 }) },
  { $id: 'HTTPValidationError', title: 'HTTPValidationError' },
)

export type ValidationItem = Static<typeof ValidationItem>
export type HTTPValidationError = Static<typeof HTTPValidationError>
