import { allowsPublishableKey } from '../../../http/access/authorize.ts'
import type { JsonObject } from '../../../http/openapi/json-object.ts'
import type { Route } from '../../../http/route.ts'
import { buildOpenApiDocument } from '../build-openapi-document.ts'
import { createCodeSamples, type SampledOperation } from './code-samples.ts'
import { createReferenceTags } from './reference-tags.ts'

/** Builds the document that the API reference shows: the OpenAPI document with guides as tags, and with code samples. Pauses between its steps. */
export function* buildReferenceDocument(routes: readonly Route[]): Generator<undefined, JsonObject> {
  const document = yield* buildOpenApiDocument(routes)
  const tags = createReferenceTags()
  yield
  const scopes = new Map(routes.map(({ operationId, scope }) => [operationId, scope]))
  const paths = Object.entries(document.paths as Record<string, Record<string, SampledOperation>>).map(
    ([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => {
          const scope = scopes.get(operation.operationId) ?? null
          const sampled = { ...operation, allowsPublishableKey: allowsPublishableKey(scope) }
          return [method, { ...operation, 'x-codeSamples': createCodeSamples(method.toUpperCase(), path, sampled) }]
        }),
      ),
    ],
  )
  const components = withoutHeaderExamples(document.components as Components)
  return {
    ...document,
    components,
    info: { ...(document.info as JsonObject), description: introduction },
    tags,
    paths: Object.fromEntries(paths),
  }
}

interface Components extends JsonObject {
  parameters: Record<string, JsonObject>
}

/** The reference sends what has an example, but none of these headers belongs in a first call: a fault, an ETag, a key that was used before. */
function withoutHeaderExamples(components: Components): Components {
  const entries = Object.entries(components.parameters).map(([name, { example: _, ...parameter }]) => [name, parameter])
  return { ...components, parameters: Object.fromEntries(entries) }
}

const introduction = `One storefront API in front of a merchant’s back office. A response is assembled from sections: a section that fails is reported in
\`errors[]\`, and the others are returned.

Enter a key under Authentication, and send the example of any call with **Test Request**. A browser keeps the key and the shopper token until its tab is
closed. The examples use the goods and shoppers of the sandbox: with a sandbox key, they work as they are. In the samples, \`$API\` is this
server, \`$PUB\` a publishable key, \`$SEC\` a secret key, and \`$TOKEN\` the \`shopper_token\` of a sign-in.

The [OpenAPI document](/openapi.json) is for tools and generators.`
