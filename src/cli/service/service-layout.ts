export const SERVICE_ACCOUNT = 'forecourt'

/** The folders of the service. All belong to its account. The process can only write to the last three. */
export const serviceFolders = {
  configuration: '/etc/forecourt',
  state: '/var/lib/forecourt',
  cache: '/var/cache/forecourt',
  log: '/var/log/forecourt',
} as const

/** The first line of each file. Only files that have it are replaced and removed. */
export const INSTALLED_FILE_MARK = '# Written by: forecourt service install'
