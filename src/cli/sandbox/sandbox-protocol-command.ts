import { createUpstreamOpenApi } from '../../sandbox/protocol/upstream-protocol.ts'
import { printJson } from '../print.ts'

/** Prints the OpenAPI document of the protocol that adapter `rest` calls. */
export const runSandboxProtocol = (): void => printJson(createUpstreamOpenApi())
