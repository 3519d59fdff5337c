const titles: Readonly<Record<string, string>> = {
  'sign-in': 'Sign-in',
  'email.look_up': 'Search for an email address',
  'breaker.hold': 'Stop or force calls',
  'breaker.release': 'Let Forecourt decide about calls again',
  'maintenance.start': 'Begin planned maintenance',
  'maintenance.end': 'End planned maintenance',
  'incident.acknowledge': 'Acknowledge an incident',
  'incident.assign': 'Assign an incident',
  'incident.note': 'Add a note to an incident',
  'cache.purge': 'Purge cached catalog',
  'webhook.enable': 'Enable a webhook endpoint',
  'webhook.disable': 'Disable a webhook endpoint',
  'webhook.redeliver': 'Send an event again',
  'webhook.recover': 'Send missed events again',
  'webhook.renew-secret': 'Renew a signing secret',
  'order.end': 'End an order',
  'key.issue': 'Issue a key',
  'key.revoke': 'Revoke a key',
  'key.rotate': 'Replace a key',
  'operator.add': 'Add an operator',
  'operator.role': 'Change the role of an operator',
  'operator.password': 'Change the password of an operator',
  'operator.enable': 'Enable an operator',
  'operator.disable': 'Disable an operator',
  'fitment.import': 'Import fitment (which product fits which vehicle)',
  'fitment.clear': 'Delete imported fitment',
  'references.import': 'Import product numbers',
  'references.clear': 'Delete imported product numbers',
  'mirror.accept-deletions': 'Accept deletions in a mirror',
  'mirror.restart': 'Fill a mirror from the systems again',
}

/** What to know and do after a command that failed. */
const failureAdvice: Readonly<Record<string, string>> = {
  'fitment.import':
    'Shoppers still see the fitment of the last import. Correct the lines that are named here, if any, and import the file again. With --dry-run --all, the command prints every bad line and changes nothing.',
  'references.import':
    'Shoppers still see the numbers of the last import. Correct the lines that are named here, if any, and import the file again. With --dry-run --all, the command prints every bad line and changes nothing.',
}

export const adviceForFailedAction = (action: string): string => failureAdvice[action] ?? ''

/** Returns what was done, in words; the name of the action if it has none. */
export const describeAuditAction = (action: string): string => titles[action] ?? action
