import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeNewFiles } from '../init/write-new-files.ts'
import { UsageError } from '../usage-error.ts'
import { renderUnit, type ServiceProgram } from './render-unit.ts'
import { INSTALLED_FILE_MARK, SERVICE_ACCOUNT, serviceFolders } from './service-layout.ts'
import { readServiceMemorySettings, toServiceMemoryMib } from './service-memory.ts'

interface ServiceFile {
  path: string
  text: string
}

const ROTATION = `${INSTALLED_FILE_MARK}
# For log.file in the configuration. Without log.file, the log goes to the journal, which rotates itself.
${serviceFolders.log}/*.log {
    su ${SERVICE_ACCOUNT} ${SERVICE_ACCOUNT}
    daily
    maxsize 200M
    rotate 14
    compress
    delaycompress
    missingok
    notifempty
    # The server keeps the file open.
    copytruncate
}
`

const ACCOUNT = `${INSTALLED_FILE_MARK}
u ${SERVICE_ACCOUNT} - "Forecourt" ${serviceFolders.state}
`

const FOLDERS = `${INSTALLED_FILE_MARK}
d ${serviceFolders.configuration} 0750 ${SERVICE_ACCOUNT} ${SERVICE_ACCOUNT}
d ${serviceFolders.state} 0700 ${SERVICE_ACCOUNT} ${SERVICE_ACCOUNT}
d ${serviceFolders.cache} 0700 ${SERVICE_ACCOUNT} ${SERVICE_ACCOUNT}
d ${serviceFolders.log} 0750 ${SERVICE_ACCOUNT} ${SERVICE_ACCOUNT}
`

/** Lists the files of the service, for the program that it runs. */
const listServiceFiles = (program: ServiceProgram, memoryMib: number): ServiceFile[] => [
  { path: '/etc/systemd/system/forecourt.service', text: renderUnit(program, { isTemplate: false, memoryMib }) },
  { path: '/etc/systemd/system/forecourt@.service', text: renderUnit(program, { isTemplate: true, memoryMib }) },
  { path: '/etc/logrotate.d/forecourt', text: ROTATION },
  { path: '/etc/sysusers.d/forecourt.conf', text: ACCOUNT },
  { path: '/etc/tmpfiles.d/forecourt.conf', text: FOLDERS },
]

const isOurs = (path: string): boolean => readFileSync(path, 'utf8').startsWith(INSTALLED_FILE_MARK)

/** Writes the files below `root` and returns their paths. A file of the same name that somebody else wrote stays, and none is written. */
export function writeServiceFiles(root: string, program: ServiceProgram): string[] {
  const memoryMib = toServiceMemoryMib(readServiceMemorySettings(root))
  const files = listServiceFiles(program, memoryMib).map(({ path, text }) => ({
    path: join(root, path),
    text,
    mode: 0o644,
  }))
  const foreign = files.filter(({ path }) => existsSync(path) && !isOurs(path)).map(({ path }) => path)
  if (foreign.length > 0)
    throw new UsageError(
      `These files were not written by this command, so it does not replace them: ${foreign.join(', ')}. Move them away first`,
    )
  for (const { path } of files) mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeNewFiles(files, true)
  return files.map(({ path }) => path)
}

/** Removes the files below `root` that `writeServiceFiles` wrote, and returns their paths. */
export function removeServiceFiles(root: string): string[] {
  const paths = listServiceFiles({ node: '', launcher: '' }, 0)
    .map(({ path }) => join(root, path))
    .filter((path) => existsSync(path) && isOurs(path))
  for (const path of paths) rmSync(path)
  return paths
}
