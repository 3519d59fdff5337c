import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { openApiFormats, withoutUnknownMembers } from '../../support/openapi-checks.ts'
import { type CollectedExamples, collectExamples } from '../../support/openapi-examples/collect-examples.ts'
import { findShapeDifference } from '../../support/openapi-examples/find-shape-difference.ts'
import { type RunningDemo, startDemo } from '../../support/openapi-examples/running-demo.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read as a client without types reads it
type Json = Record<string, any>

interface Body {
  title: string
  operationId: string
  /** `null`: the body of the request. */
  status: string | null
  media: Json
}

const RECORD = 'record it: node src/bin/pinned-node.js test/support/openapi-examples/record-examples.ts'

describe('the examples of the OpenAPI document', () => {
  let demo: RunningDemo
  let document: Json
  let played: CollectedExamples
  let bodies: Body[]
  const ajv = new Ajv2020({ strict: false, formats: openApiFormats })

  before(async function () {
    this.timeout(0)
    demo = await startDemo()
    document = (await sendHttpRequest(demo.address, '/openapi.json')).body
    ajv.addSchema({ components: withoutUnknownMembers(document.components), $id: 'openapi' })
    bodies = listBodies(document)
    played = await collectExamples(demo)
  })
  after(() => demo[Symbol.asyncDispose]())

  it('exist for each body of a request and of a response', () => {
    const missing = bodies.filter(({ media }) => media.example === undefined).map(({ title }) => title)
    expect(missing, RECORD).to.deep.equal([])
  })

  it('match their schemas', () => {
    const events = Object.entries<Json>(document.webhooks).map(([title, { post }]) => ({
      title,
      media: post.requestBody.content['application/json'],
    }))
    for (const { title, media } of [...bodies, ...events]) {
      const schema = JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"openapi#/'))
      const isValid = ajv.validate(schema, media.example)
      expect(isValid, `${title}: ${ajv.errorsText()}`).to.equal(true)
    }
  })

  it('match the schemas of problems', () => {
    const contents = [...Object.values<Json>(document.components.responses), ...listResponses(document)]
    for (const { content } of contents)
      for (const { schema, examples = {} } of Object.values<Json>(content ?? {}))
        for (const [code, { value }] of Object.entries<Json>(examples)) {
          const reference = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
          expect(ajv.validate(reference, value), `${code}: ${ajv.errorsText()}`).to.equal(true)
        }
  })

  it('have the shape of what the sandbox returns for the same calls', () => {
    for (const { title, operationId, status, media } of bodies) {
      if (operationId === 'hintOfChanges') continue
      const call = played.operations.get(operationId)
      const now = status === null ? call?.request : call?.responses?.[status]
      expect(now, `${title} is called`).to.not.equal(undefined)
      expect(findShapeDifference(media.example, now), title).to.equal(null)
    }
  })

  it('have the shape of the events that the sandbox sends', () => {
    for (const [type, { post }] of Object.entries<Json>(document.webhooks)) {
      const { example } = post.requestBody.content['application/json']
      expect(findShapeDifference(example, played.events.get(type)), type).to.equal(null)
    }
  })

  it('name what is in the sandbox in each path', () => {
    for (const [path, operations] of Object.entries<Json>(document.paths)) {
      if (!path.startsWith('/v1/')) continue
      for (const { operationId, parameters = [] } of Object.values<Json>(operations)) {
        const inPath = parameters.filter((parameter: Json) => parameter.in === 'path')
        for (const { name, example } of inPath) expect(example, `${operationId} ${name}`).to.not.equal(undefined)
      }
    }
  })
})

function listResponses({ paths }: Json): Json[] {
  const operations = Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods))
  return operations.flatMap(({ responses }) => Object.values<Json>(responses))
}

/** Returns the JSON bodies of requests and of successful responses. */
function listBodies({ paths }: Json): Body[] {
  const operations = Object.values<Json>(paths).flatMap((methods) => Object.values<Json>(methods))
  return operations.flatMap(({ operationId, requestBody, responses }) => {
    const successes = Object.entries<Json>(responses).filter(([status]) => status.startsWith('2'))
    const parts: [string | null, Json | undefined][] = [[null, requestBody], ...successes]
    return parts.flatMap(([status, part]) => {
      const media = part?.content?.['application/json']
      if (!media) return []
      return listForms(operationId, media).map(([name, example]) => ({
        title: `${name} ${status ?? 'request'}`,
        operationId: name,
        status,
        media: { ...media, example },
      }))
    })
  })
}

/** Returns the example of each form of a body; the usual form has the name of its operation. */
const listForms = (operationId: string, { example, examples }: Json): [name: string, example: unknown][] =>
  examples
    ? Object.entries<Json>(examples).map(([form, { value }]) => [
        form === 'list' ? operationId : `${operationId}.${form}`,
        value,
      ])
    : [[operationId, example]]
