import { Ajv2020, type Format, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'chai'

type Json = Record<string, unknown>

interface Operations {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Json; $ref?: string }> }>>
}

/** A request and its response. */
export interface CheckedExchange {
  method: string
  path: string
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export const openApiFormats: Record<string, Format> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: (text: string) => URL.canParse(text),
  /** The pattern beside it is stricter. */
  email: true,
}

type OpenApiCheck = (exchange: CheckedExchange) => void

/** Checks by the document's text: servers of different tests publish the same one, and compiling its schemas takes a tenth of a second. */
const checks = new Map<string, OpenApiCheck>()

/** Returns a check of responses against the text of a published document. Members that it does not name are refused. */
export function openApiCheckOf(text: string): OpenApiCheck {
  const known = checks.get(text)
  if (known) return known
  const check = createOpenApiCheck(JSON.parse(text))
  checks.set(text, check)
  return check
}

function createOpenApiCheck(published: Json): OpenApiCheck {
  const document = withoutUnknownMembers(published) as Json & Operations
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: openApiFormats })
  ajv.addSchema({ ...document, $id: 'openapi' })
  const compiled = new Map<string, ValidateFunction>()
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

  function schemaFor(template: string, method: string, status: number): ValidateFunction {
    const { responses } = document.paths[template]![method]!
    const key = String(status) in responses ? String(status) : 'default'
    expect(responses, `${method} ${template} may answer ${status}`).to.have.property(key)
    const path = [template, method, 'responses', key].map(toPointer).join('/')
    const response = responses[key]!.$ref ?? `#/paths/${path}`
    const ref = `openapi${response}/${['content', 'application/json', 'schema'].map(toPointer).join('/')}`
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref })
    compiled.set(ref, validate)
    return validate
  }

  /** A file has no schema to check. */
  function isFileOf(template: string, method: string, status: number, headers: CheckedExchange['headers']): boolean {
    const { content = {} } = document.paths[template]?.[method]?.responses[status] ?? {}
    return !('application/json' in content) && String(headers['content-type']) in content
  }

  const validateProblem = ajv.compile({ $ref: 'openapi#/components/schemas/Problem' })

  return ({ method, path, status, headers, text }) => {
    const title = `${method} ${path} → ${status}`
    if (status === 204 || status === 304 || method === 'HEAD') {
      expect(text, `${title} has no body`).to.equal('')
      return
    }
    const pathname = path.split('?', 1)[0]!
    const template = templates.find(({ pattern }) => pattern.test(pathname))?.template
    const operation = method.toLowerCase()
    if (!template && status === 200) return
    if (template && isFileOf(template, operation, status, headers)) return
    expect(String(headers['content-type']), title).to.match(/^application\/(problem\+)?json/)
    const isDescribed = template !== undefined && document.paths[template]![operation] !== undefined
    const validate = isDescribed ? schemaFor(template, operation, status) : validateProblem
    const isValid = validate(JSON.parse(text))
    expect(
      isValid,
      `${title} against the document: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 500)}`,
    ).to.equal(true)
  }
}

const toPointer = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Copies schemas such that they refuse members that they do not name. */
export function withoutUnknownMembers(schema: unknown, isCombined = false): unknown {
  if (Array.isArray(schema)) return schema.map((entry) => withoutUnknownMembers(entry, isCombined))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, entry]) => [name, withoutUnknownMembers(entry, name === 'allOf')])
  const copy = Object.fromEntries(entries)
  const hasNamedMembers =
    copy.type === 'object' && copy.properties !== undefined && copy.patternProperties === undefined
  if (hasNamedMembers && !isCombined) copy.unevaluatedProperties = false
  return copy
}
