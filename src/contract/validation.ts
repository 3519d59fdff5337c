import { type Static, Type } from 'typebox'

/** One mistake in a request, as FastAPI reports it: `loc` leads to the member, `input` is what was sent there. */
export const ValidationItem = Type.Object(
  {
    type: Type.String({ title: 'Error Type', description: 'A slug for programs: `missing`, `int_parsing` …' }),
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      title: 'Location',
      description: 'Starts with `path`, `query`, `header` or `body`.',
    }),
    msg: Type.String({ title: 'Message', description: 'For people.' }),
    input: Type.Optional(
      Type.Unknown({
        title: 'Input',
        description: 'What was sent; at most 256 characters, and left out where it is secret.',
      }),
    ),
    ctx: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { title: 'Context', description: 'The limits that `msg` speaks of.' }),
    ),
  },
  { title: 'ValidationError' },
)

/** The body of every 422. */
export const HTTPValidationError = Type.Object(
  { detail: Type.Array(ValidationItem, { title: 'Detail', minItems: 1 }) },
  { title: 'HTTPValidationError' },
)

export type ValidationItem = Static<typeof ValidationItem>
export type HTTPValidationError = Static<typeof HTTPValidationError>
