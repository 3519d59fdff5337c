import { INSTALLED_FILE_MARK, SERVICE_ACCOUNT, serviceFolders } from './service-layout.ts'

export interface ServiceProgram {
  /** The absolute path of Node. */
  node: string
  /** The absolute path of src/bin/forecourt.js. */
  launcher: string
}

export interface UnitOptions {
  isTemplate: boolean
  /** The most memory that the service may take, in MiB. */
  memoryMib: number
}

/** The rights that systemd takes away from the process. V8 compiles at run time, so MemoryDenyWriteExecute is not possible. */
const HARDENING = `NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
PrivateUsers=yes
PrivateTmp=yes
PrivateDevices=yes
DevicePolicy=closed
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @keyring @memlock
SystemCallErrorNumber=EPERM
UMask=0077`

/**
 * Renders forecourt.service, or the template forecourt@.service, whose instances are further processes on a PostgreSQL store: the name of an
 * instance is its port.
 */
export function renderUnit({ node, launcher }: ServiceProgram, { isTemplate, memoryMib }: UnitOptions): string {
  const program = `${quote(node)} ${quote(launcher)}`
  const file = `${serviceFolders.configuration}/forecourt.yaml`
  return `${INSTALLED_FILE_MARK}
# Change it with: systemctl edit ${isTemplate ? 'forecourt@8180' : 'forecourt'}
[Unit]
Description=Forecourt${isTemplate ? ' on port %i' : ''}
Wants=network-online.target
After=network-online.target postgresql.service
# systemd retries the start without limit, for example until PostgreSQL responds.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${SERVICE_ACCOUNT}
Group=${SERVICE_ACCOUNT}
WorkingDirectory=${serviceFolders.configuration}
Environment=FORECOURT_DATA=${serviceFolders.state}
Environment=NODE_COMPILE_CACHE=${serviceFolders.cache}
${isTemplate ? 'Environment=PORT=%i\n' : ''}# Secrets are in forecourt.env beside the configuration: the server reads it itself.
ExecStart=${program} serve --config ${file}
# Only a server with workers can be reloaded.
ExecReload=${program} reload --config ${file}
Restart=always
RestartSec=2
# A mistake in the configuration does not go away by itself.
RestartPreventExitStatus=2
# SIGTERM goes to the launcher, which forwards it. Longer than drain.delay_seconds + drain.finish_seconds + 5.
KillMode=mixed
TimeoutStopSec=40
# From cache.max_mib, workers and embedded_sandbox of the configuration, when this file was written.
MemoryMax=${memoryMib}M
TasksMax=512
LimitNOFILE=65536
SyslogIdentifier=${isTemplate ? 'forecourt-%i' : 'forecourt'}
# One line a request: journald would drop lines above 333 a second.
LogRateLimitIntervalSec=0
StateDirectory=forecourt
StateDirectoryMode=0700
CacheDirectory=forecourt
CacheDirectoryMode=0700
LogsDirectory=forecourt
LogsDirectoryMode=0750
${HARDENING}

[Install]
WantedBy=multi-user.target
`
}

/** Quotes a path for a line of a unit, where % begins a specifier and $ a variable. */
const quote = (path: string): string =>
  `"${path.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
