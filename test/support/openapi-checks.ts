import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'chai'

type Json = Record<string, unknown>

interface Operations {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Json }> }>>
}

/** What was asked, and what was answered. */
export interface CheckedExchange {
  method: string
  path: string
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: (text: string) => URL.canParse(text),
}

/** Judges answers by the published document alone. Members that it does not name are refused too. */
export function createOpenApiChecks(published: Json): (exchange: CheckedExchange) => void {
  const document = closed(published) as Json & Operations
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  ajv.addSchema({ ...document, $id: 'openapi' })
  const compiled = new Map<string, ValidateFunction>()
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

  function schemaFor(template: string, method: string, status: number): ValidateFunction {
    const { responses } = document.paths[template]![method]!
    const answer = String(status) in responses ? String(status) : 'default'
    expect(responses, `${method} ${template} may answer ${status}`).to.have.property(answer)
    const path = [template, method, 'responses', answer, 'content', 'application/json', 'schema']
    const ref = `openapi#/paths/${path.map((part) => encodeURIComponent(escaped(part))).join('/')}`
    const known = compiled.get(ref) ?? ajv.compile({ $ref: ref })
    compiled.set(ref, known)
    return known
  }

  const problem = ajv.compile({ $ref: 'openapi#/components/schemas/Problem' })

  return ({ method, path, status, headers, text }) => {
    const where = `${method} ${path} → ${status}`
    if (status === 204 || status === 304 || method === 'HEAD') {
      expect(text, `${where} has no body`).to.equal('')
      return
    }
    const asked = path.split('?', 1)[0]!
    const template = templates.find(({ pattern }) => pattern.test(asked))?.template
    const lower = method.toLowerCase()
    if (!template && status === 200) return
    expect(String(headers['content-type']), where).to.match(/^application\/(problem\+)?json/)
    const described = template !== undefined && document.paths[template]![lower] !== undefined
    const schema = described ? schemaFor(template, lower, status) : problem
    const fits = schema(JSON.parse(text))
    expect(fits, `${where} against the document: ${ajv.errorsText(schema.errors)}\n${text.slice(0, 500)}`).to.equal(
      true,
    )
  }
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** The same schemas, taking no other members than they name. */
function closed(schema: unknown, combined = false): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => closed(entry, combined))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, entry]) => [name, closed(entry, name === 'allOf')])
  const copy = Object.fromEntries(entries)
  const named = copy.type === 'object' && copy.properties !== undefined && copy.patternProperties === undefined
  if (named && !combined) copy.unevaluatedProperties = false
  return copy
}
