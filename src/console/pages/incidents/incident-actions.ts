import { createNotFound } from '../../../errors.ts'
import { isPersonalText } from '../../../security/is-personal-text.ts'
import { addIncidentNote, type IncidentNoteRow } from '../../../storage/diagnostics/incident-notes.ts'
import { findIncidentRow } from '../../../storage/diagnostics/incident-queries.ts'
import { findOperator } from '../../../storage/operators/operator-accounts.ts'
import { type AuditedAction, type AuditedActionParts, createAuditedAction } from '../../audited-action.ts'
import type { ConsolePage, ConsoleRequest } from '../../console-page.ts'
import { createFormError } from '../../form-body.ts'

export const MAX_NOTE_LENGTH = 2_000

interface IncidentEntry extends Pick<IncidentNoteRow, 'kind' | 'text'> {
  message: string
}

/** Creates the actions of operators on an incident: acknowledge it, say who looks after it, and add a note. */
export function createIncidentActions(parts: AuditedActionParts): ConsolePage[] {
  const { db, now } = parts
  const createAction = (
    name: string,
    readEntry: (request: ConsoleRequest) => IncidentEntry | Promise<IncidentEntry>,
    readTarget: AuditedAction['readTarget'],
  ) =>
    createAuditedAction(parts, {
      path: `/incidents/:id/${name}`,
      action: `incident.${name}`,
      readTarget,
      failurePath: toPath,
      async run(request) {
        const { kind, text, message } = await readEntry(request)
        const { params, operator } = request
        const incident = await findIncidentRow(db, params.id!)
        if (!incident) throw createNotFound('incident')
        const at = new Date(now()).toISOString()
        const note = { incident_id: incident.incident_id, at, operator: operator.name, kind, text }
        if (!(await addIncidentNote(db, note)))
          throw createFormError('This incident has reached the maximum number of entries.')
        return { redirect: toPath(request), message }
      },
    })

  return [
    createAction(
      'acknowledge',
      () => ({ kind: 'acknowledged', text: null, message: 'The incident is acknowledged.' }),
      ({ params }) => ({ incident: params.id }),
    ),
    createAction(
      'assign',
      async ({ form }) => {
        const name = form.get('operator') ?? ''
        if (name === '') return { kind: 'assigned', text: null, message: 'The incident is assigned to nobody.' }
        const operator = await findOperator(db, name)
        if (!operator || operator.disabled_at !== null) throw createFormError('Choose an operator who can sign in.')
        return { kind: 'assigned', text: operator.name, message: `The incident is assigned to ${operator.name}.` }
      },
      ({ params, form }) => ({ incident: params.id, assignee: form.get('operator') }),
    ),
    createAction(
      'note',
      ({ form }) => ({ kind: 'note', text: parseNote(form), message: 'The note is added.' }),
      // The text stays out of the audit log, which is kept for longer.
      ({ params }) => ({ incident: params.id }),
    ),
  ]
}

const toPath = ({ params }: ConsoleRequest) => `/incidents/${encodeURIComponent(params.id!)}`

function parseNote(form: URLSearchParams): string {
  const text = (form.get('text') ?? '').replaceAll('\r\n', '\n').trim()
  if (text === '') throw createFormError('Write a note first.')
  if (text.length > MAX_NOTE_LENGTH) throw createFormError(`A note has at most ${MAX_NOTE_LENGTH} characters.`)
  if (isPersonalText(text))
    throw createFormError('Leave out email addresses, keys and tokens: everybody here can read a note.')
  return text
}
