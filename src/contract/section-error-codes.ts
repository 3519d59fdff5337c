/** The codes of `errors[]`: whether the section may come back by itself, and what a storefront does meanwhile. */
export const sectionErrorCodes = {
  downstream_timeout: 'The system did not respond in time. Show the page without the section; read it again later.',
  downstream_unavailable: 'The system cannot be reached. Show the page without the section; read it again later.',
  downstream_error: 'The system responded with an error. Show the page without the section; read it again later.',
  downstream_rate_limited: 'The system was called too often. Read the section again after `retry_after_ms`.',
  circuit_open: 'The system is failing, and calls to it are paused. Read the section again after `retry_after_ms`.',
  maintenance: 'The system is under planned maintenance. Read the section again after `until`.',
  invalid_downstream_response: 'The response of the system could not be read. Report it to the merchant.',
  overloaded: 'Too many calls wait for the system. Read the section again later.',
  not_configured: 'The merchant’s back office does not offer the section. It stays missing.',
  partial_result: 'Some rows have the section and others do not. Read the page again later.',
  catalog_loading:
    'The catalog is still being loaded, so more may match. Show what was found; search again after `retry_after_ms`.',
} as const

export type SectionErrorCode = keyof typeof sectionErrorCodes
