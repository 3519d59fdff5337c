import { print } from '../../src/cli/print.ts'
import { apiRoutes } from '../../src/routes/api-routes.ts'
import { createOpenApiDocument } from '../../src/routes/meta/build-openapi-document.ts'

print(JSON.stringify(createOpenApiDocument(apiRoutes)))
