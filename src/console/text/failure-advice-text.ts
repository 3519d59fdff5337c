/** What to check after each kind of failure, for support staff; see `failureKind`. */
const adviceByKind: readonly (readonly [kind: RegExp, advice: string])[] = [
  [
    /^connection refused/,
    'Nothing accepts connections at the address of the system. Is it running? Has its address or port changed?',
  ],
  [
    /^name not found/,
    'The host name of the system cannot be resolved. Whoever runs the system checks its entry in DNS. If the name has changed, whoever runs Forecourt changes the address in the configuration of Forecourt, and restarts Forecourt.',
  ],
  [/^TLS certificate expired/, 'Renew the certificate of the system, or of the proxy in front of it.'],
  [/^TLS certificate not valid yet/, 'Check the clocks of both machines, and from when the certificate is valid.'],
  [
    /^TLS certificate for another name/,
    'The certificate names another host. Has the address changed, or does a proxy respond?',
  ],
  [
    /^TLS certificate not trusted/,
    'Install a certificate of a known authority, or trust this one with NODE_EXTRA_CA_CERTS.',
  ],
  [/^TLS/, 'Check whether the address of the system should begin with http or https, and check its TLS settings.'],
  [
    /^no route|^no connection in time/,
    'The machine of the system cannot be reached. Check its network, routes and firewalls.',
  ],
  [/^connection (lost|failed)/, 'The connection broke. Check the logs of the system and of any proxy in front of it.'],
  [
    /^incomplete response/,
    'The system began to respond, and did not finish in time. It or the network to it is slow. Check its load and its log.',
  ],
  [/^no response/, 'The system or the network to it is slow, overloaded or hung. Check its load and its log.'],
  [/^HTTP 50[234]/, 'A proxy in front of the system does not reach it, or the system is overloaded or restarting.'],
  [/^HTTP 5|^error response/, 'The system failed while it handled the request. Check its log at that time.'],
  [
    /^HTTP 4|^request rejected/,
    'The system rejects the request. Have its version, its permissions or its rules changed? Forecourt’s log has the response of the system, under the id of the request.',
  ],
  [
    /^unreadable response/,
    'Was the system, or a proxy in front of it, changed recently? A proxy’s error page also has this effect.',
  ],
  [
    /^login refused/,
    'Whoever runs the system renews the key or the password that Forecourt uses there. Whoever runs Forecourt puts the new one into the configuration of Forecourt, and restarts Forecourt.',
  ],
  [
    /^wrong setting/,
    'Whoever runs Forecourt corrects the setting, and restarts Forecourt. `forecourt doctor` names the setting and its valid values.',
  ],
  [
    /^rate limit/,
    'Set `limits.per_minute` of this system in Forecourt to what the system allows, or raise the limit in the system.',
  ],
  [/^queue full/, 'The system is slow, or there is more traffic than usual. Check its latency in Timeline.'],
  [
    /^the disk is full/,
    'Make room on the disk of Forecourt’s database. Forecourt tries again every second and needs no restart.',
  ],
  [
    /^the store does not respond/,
    'Is PostgreSQL running, and does it accept connections? Forecourt tries again every second and needs no restart.',
  ],
  [
    /^the (disk|file of the store|files of the store|store cannot)/,
    'Check the disk and the files of Forecourt’s database, and who may write them. The log has the error.',
  ],
  [/^planned maintenance/, 'Nothing is wrong. The page Now shows when it ends and who planned it.'],
  [/^circuit held/, 'An operator stopped the calls to this system. The page Now shows who, and until when.'],
]

/** There is nothing to check after a failure that X-Sandbox-Fault requested. */
export const SIMULATED_FAILURE_ADVICE =
  'The storefront asked for this failure with X-Sandbox-Fault, and the system was not called. There is nothing to check.'

/** Matches the kinds of failure whose advice concerns the configuration of Forecourt. */
const CONFIGURED = /^(name not found|login refused|wrong setting|rate limit|TLS certificate not)/

export const concernsForecourt = (kind: string): boolean => CONFIGURED.test(kind)

export const adviceForFailure = (kind: string): string =>
  adviceByKind.find(([pattern]) => pattern.test(kind))?.[1] ?? ''
