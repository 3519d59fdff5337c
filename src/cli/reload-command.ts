import { existsSync } from 'node:fs'
import { locateServer } from '../config/locate-server.ts'
import { listControlSockets, requestReload, toControlPath } from '../runtime/workers/control-socket.ts'
import { print } from './print.ts'
import { UsageError } from './usage-error.ts'

/** Asks the server of a configuration file to load it again. If the file has mistakes, the server names them and keeps its configuration. */
export async function runReload({ config }: { config: string }): Promise<void> {
  const { dataDirectory, port } = locateServer(config)
  const path = toControlPath(dataDirectory, port)
  const reply = await requestReload(path)
  if (!reply) throw new UsageError(await explainMissingSocket(path, dataDirectory))
  if (!reply.ok) throw new UsageError(`The server keeps its earlier configuration.\n${reply.message}`)
  print(reply.message)
}

async function explainMissingSocket(path: string, dataDirectory: string): Promise<string> {
  const missing = `No server with workers listens at ${path}.`
  const others = existsSync(dataDirectory) ? await listControlSockets(dataDirectory) : []
  return others.length > 0
    ? `${missing} One listens at ${others.join(' and ')}: if listen.port has changed, restart that server`
    : `${missing} Only a server with "workers" in its configuration can be reloaded; other servers read a new certificate by themselves`
}
