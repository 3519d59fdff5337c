/** The context of calls that must not fail because of the settings `language` and `company`, which are checked. */
export const NEUTRAL_CONTEXT = { lang: undefined, allowed_company_ids: undefined }
